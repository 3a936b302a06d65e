import { sql } from 'kysely';
import { bytesToHex } from '@noble/hashes/utils.js';
import { randomBytes } from 'node:crypto';
import { query } from '../../../../kernel/database/query.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import type { Tables } from '../../entities.js';
import { watchJobName } from '../../payments/chain/chain.js';
import { isSandboxChain, type SandboxChainName } from '../../payments/chain/sandbox-chains.js';
import { fromBaseUnits, toBaseUnits, TOKEN_DECIMALS, type DepositToken } from '../../payments/chain/token.rules.js';
import { mine, mineDueBlocks, requiredConfirmations } from '../chain/blocks.js';
import { reorganise, sendAgain, sendTransfer, transfersTo, type SandboxTransfer } from '../chain/transfers.js';
import type { SandboxStore } from '../sandbox-store.js';
import { text, type Form } from '../form.rules.js';
import { noSuch } from '../refusal.js';
import { redirect, type PageAnswer } from './answer.js';
import { html, page, pageHeaders, type Html } from './html.rules.js';

/** Seconds until the page reloads while a payment is expected. */
const REFRESH_SECONDS = 3;

/** Maximum number of tokens in one transfer, so that balances stay within 64 bits. */
const MAX_TOKENS = 1_000_000n;

/** A deposit on a sandbox chain with its transfers. */
interface OpenDeposit {
  readonly id: string;
  readonly chain: SandboxChainName;
  readonly token: DepositToken;
  readonly address: string;
  /** In base units. */
  readonly expected: string;
  readonly status: string;
  readonly credits: string;
  readonly recipient: string;
  readonly transfers: readonly SandboxTransfer[];
  /** The number of the newest block, and the required confirmations. */
  readonly head: number;
  readonly depth: number;
}

/** Shows the page on which a crypto deposit is paid, with the state of its transfers. */
export async function showDeposit(store: SandboxStore, id: string, form: Form): Promise<PageAnswer> {
  await store.lock();
  const deposit = await takeDeposit(store, id);
  const { token, address, expected, status, credits, transfers, head, depth } = deposit;
  const content = html` <table>
      <tbody>
        <tr>
          <th scope="row">Requested</th>
          <td>${amountText(expected, token)}</td>
        </tr>
        <tr>
          <th scope="row">Address</th>
          <td>${address}</td>
        </tr>
        <tr>
          <th scope="row">Status</th>
          <td><strong>${status}</strong></td>
        </tr>
        <tr>
          <th scope="row">Credits</th>
          <td>${credits}</td>
        </tr>
      </tbody>
    </table>
    ${text(form, 'refused') ? html`<p class="alert" role="alert">That is no amount that can be sent.</p>` : undefined}
    ${payButtons(deposit)} ${transfers.length > 0 ? html`<h2>Payments</h2>` : undefined}
    ${transfers.map((transfer) => transferLine(deposit, transfer))}`;
  const isAwaited = transfers.some(
    ({ blockNumber }) => blockNumber !== null && (status !== 'completed' || head - blockNumber < depth),
  );
  const body = page('Pay in crypto', content, isAwaited ? REFRESH_SECONDS : undefined);
  return { status: 200, headers: pageHeaders([]), body };
}

function payButtons(deposit: OpenDeposit): Html {
  const { token, depth } = deposit;
  // The hash of the transfer, so that submitting a form twice pays once.
  const hash = randomBytes(32).toString('hex');
  const label = (name: PresetName) => amountText(String(PRESETS[name](rest(deposit))), token);
  return html`<form method="post">
      <input type="hidden" name="payment" value="${hash}" />
      <button class="main" name="action" value="exact">Send ${label('exact')}</button>
      <button name="action" value="under">Send too little: ${label('under')}</button>
      <button name="action" value="over">Send too much: ${label('over')}</button>
    </form>
    <form method="post">
      <input type="hidden" name="payment" value="${hash}" />
      <label for="amount">Another amount</label>
      <input id="amount" name="amount" inputmode="decimal" required />
      <button name="action" value="other">Send it</button>
    </form>
    <form method="post"><button name="action" value="mine">Mine ${depth} blocks now</button></form>`;
}

function transferLine({ head, depth, token }: OpenDeposit, { hash, blockNumber, amount }: SandboxTransfer): Html {
  const button = (action: string, label: string) =>
    html`<form method="post">
      <input type="hidden" name="payment" value="${hash.slice(2)}" />
      <button name="action" value="${action}">${label}</button>
    </form>`;
  if (blockNumber === null)
    return html`<p>${amountText(amount, token)}: removed by a reorganisation.</p>
      ${button('again', 'Put it into another block')}`;
  const confirmations = Math.min(head - blockNumber, depth);
  return html`<p>${amountText(amount, token)} in block ${blockNumber}: ${confirmations} of ${depth} confirmations.</p>
    ${confirmations < depth ? button('drop', 'Reorganise: remove it from the chain') : undefined}`;
}

function amountText(units: string, token: DepositToken): string {
  return `${fromBaseUnits(BigInt(units), TOKEN_DECIMALS[token])} ${token}`;
}

/** Runs the action of a button, and has the platform scan the chain. */
export async function submitDeposit(store: SandboxStore, id: string, form: Form): Promise<PageAnswer> {
  const deposit = await takeDeposit(store, id);
  const pageUrl = `${store.runtime.publicUrl}/sandbox/deposit/${deposit.id}`;
  const action = text(form, 'action') ?? '';
  if (!(await act(store, deposit, { action, form }))) return redirect(`${pageUrl}?refused=1`);
  await store.runtime.jobs.enqueue(store.transaction, watchJobName(deposit.chain), {}, { key: 'awaited' });
  return redirect(pageUrl);
}

/** Returns whether the action exists. */
async function act(
  store: SandboxStore,
  deposit: OpenDeposit,
  { action, form }: { readonly action: string; readonly form: Form },
): Promise<boolean> {
  const { chain, head, depth } = deposit;
  const named = deposit.transfers.find(({ hash }) => hash === `0x${text(form, 'payment')}`);
  if (action === 'mine') {
    await mine(store, chain, { from: head + 1, blocks: depth, firstAt: store.runtime.now() });
    return true;
  }
  if (action === 'drop' && named?.blockNumber != null && head - named.blockNumber < depth) {
    await reorganise(store, chain, { hash: named.hash, blockNumber: named.blockNumber });
    return true;
  }
  if (action === 'again' && named) {
    await sendAgain(store, chain, named.hash);
    return true;
  }
  return send(store, deposit, { action, form });
}

async function send(
  store: SandboxStore,
  deposit: OpenDeposit,
  { action, form }: { readonly action: string; readonly form: Form },
): Promise<boolean> {
  const { chain, token, recipient } = deposit;
  const units = Object.hasOwn(PRESETS, action)
    ? PRESETS[action as PresetName](rest(deposit))
    : action === 'other' && toBaseUnits(text(form, 'amount') ?? '', TOKEN_DECIMALS[token]);
  if (!units || units > MAX_TOKENS * 10n ** BigInt(TOKEN_DECIMALS[token])) return false;
  const given = text(form, 'payment') ?? '';
  const hash = `0x${/^[0-9a-f]{64}$/.test(given) ? given : randomBytes(32).toString('hex')}`;
  await sendTransfer(store, chain, { hash, token, recipient, amount: `${units}` });
  return true;
}

/** The amount that each button sends, of the amount that is still due. */
const PRESETS = {
  exact: (units: bigint) => units,
  under: (units: bigint) => (units + 1n) / 2n,
  over: (units: bigint) => units + (units + 1n) / 2n,
};
type PresetName = keyof typeof PRESETS;

/** The amount that is due and not on the chain yet; the full amount if all of it is. */
function rest({ expected, transfers }: OpenDeposit): bigint {
  const onChain = transfers.filter(({ blockNumber }) => blockNumber !== null);
  const open = onChain.reduce((left, { amount }) => left - BigInt(amount), BigInt(expected));
  return open > 0n ? open : BigInt(expected);
}

const DEPOSIT = query('sandbox-deposit', (db: Tables, value: { id: string | null }) =>
  db
    .selectFrom('deposit as d')
    .innerJoin('transaction as t', (join) =>
      join.onRef('t.userId', '=', 'd.userId').onRef('t.id', '=', 'd.transactionId'),
    )
    .select(['t.id', 'd.chain', 'd.token', 'd.address', 'd.expected', 't.status'])
    .select(sql<string>`trim_scale(d.credits)::text`.as('credits'))
    .where('d.transactionId', '=', value.id),
);

/** @throws Refusal for an unknown id */
async function takeDeposit(store: SandboxStore, id: string): Promise<OpenDeposit> {
  const [row] = await store.transaction.run(DEPOSIT, { id: uuidOf(id) });
  if (!row || !isSandboxChain(row.chain) || !store.runtime.services.deposits.names.includes(row.chain))
    throw noSuch('deposit', id);
  const { chain, address } = row;
  const { decodeAddress } = await import('@polkadot/util-crypto/address/decode');
  const recipient = chain === 'sandbox-evm' ? address.toLowerCase() : bytesToHex(decodeAddress(address));
  const { number: head } = await mineDueBlocks(store, chain);
  const transfers = await transfersTo(store, chain, recipient);
  return { ...row, chain, recipient, transfers, head, depth: requiredConfirmations(store.runtime, chain) };
}
