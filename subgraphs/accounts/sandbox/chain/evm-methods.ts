import { sql } from 'kysely';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { SANDBOX_DEPOSITS } from '../../payments/chain/sandbox-chains.js';
import { TOKEN_DECIMALS, type DepositToken } from '../../payments/chain/token.rules.js';
import type { AccountsRuntime } from '../../services.js';
import { blockByNumber, newestBlock, type SandboxBlock } from './blocks.js';
import { invalidParams, textsOf, type RpcMethods } from './rpc-fault.js';
import type { SandboxTransfer } from './transfers.js';

const CHAIN = 'sandbox-evm';

/** Not used by any public network. */
const CHAIN_ID = 7_263_626;

/** keccak256 of `Transfer(address,address,uint256)`, and the selector of `decimals()`. Source: ERC-20 */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const DECIMALS = '0x313ce567';

const MAX_ADDRESSES = 1_000;
const MAX_BLOCKS = 10_000;

/** Maximum block number in PostgreSQL. */
const MAX_BLOCK_NUMBER = 2 ** 31 - 1;

const CONTRACTS: ReadonlyMap<string, DepositToken> = new Map([
  [SANDBOX_DEPOSITS.usdcContract, 'USDC'],
  [SANDBOX_DEPOSITS.usdtContract, 'USDT'],
]);

/** The Ethereum JSON-RPC methods that find token payments. Source: Ethereum execution APIs */
export const EVM_METHODS: RpcMethods = {
  eth_chainId: async () => hex(CHAIN_ID),
  eth_blockNumber: async (runtime) => hex((await newestBlock(runtime, CHAIN)).number),
  eth_getBlockByNumber: async (runtime, [tag]) => {
    const block = await blockAt(runtime, tag);
    if (!block) return null;
    const parent = await blockByNumber(runtime, CHAIN, block.number - 1);
    return {
      number: hex(block.number),
      hash: block.hash,
      parentHash: parent?.hash ?? word(''),
      timestamp: hex(Math.floor(block.minedAt.getTime() / 1000)),
    };
  },
  eth_getLogs: async (runtime, [filter]) => logsIn(runtime, objectOf(filter)),
  eth_getTransactionReceipt: async (runtime, [hash]) => {
    const [text = ''] = textsOf(hash, 1);
    const [log] = logsOf(await runtime.database.run(BY_HASH, { hash: text }));
    if (!log) return null;
    const { transactionHash, blockHash, blockNumber } = log;
    return { transactionHash, blockHash, blockNumber, transactionIndex: '0x0', status: '0x1', logs: [log] };
  },
  eth_call: async (_runtime, [call]) => {
    const { to, data } = objectOf(call);
    const token = typeof to === 'string' ? CONTRACTS.get(to.toLowerCase()) : undefined;
    if (!token || data !== DECIMALS) throw invalidParams('The sandbox knows `decimals()` of its two tokens only.');
    return word(TOKEN_DECIMALS[token].toString(16));
  },
};

interface MinedTransfer extends SandboxTransfer {
  readonly blockNumber: number;
  readonly blockHash: string;
}

const selectMined = (db: Tables) =>
  db
    .selectFrom('sandboxTransfer as t')
    .innerJoin('sandboxBlock as b', (on) => on.onRef('b.chain', '=', 't.chain').onRef('b.number', '=', 't.blockNumber'))
    .select(['t.hash', 't.blockNumber', 't.token', 't.recipient', 't.amount', 'b.hash as blockHash'])
    .where('t.chain', '=', CHAIN)
    .$narrowType<{ blockNumber: number }>();

const BY_HASH = query('sandbox-transfer-by-hash', (db: Tables, value: { hash: string }) =>
  selectMined(db).where('t.hash', '=', value.hash),
);

interface LogFilter {
  readonly from: number;
  readonly to: number;
  readonly tokens: readonly DepositToken[];
  /** Null for all recipients. */
  readonly paid: readonly string[] | null;
}

const LOGS = query('sandbox-logs', (db: Tables, { from, to, tokens, paid }: LogFilter) =>
  selectMined(db)
    .where((eb) => eb.between('t.blockNumber', from, to))
    .where('t.token', '=', anyOf(tokens))
    .where(sql<boolean>`(${paid}::text[] IS NULL OR t.recipient = ANY(${paid}))`)
    .orderBy('t.blockNumber'),
);

async function logsIn(runtime: AccountsRuntime, filter: Readonly<Record<string, unknown>>): Promise<Log[]> {
  const { fromBlock = 'latest', toBlock = 'latest', address, topics } = filter;
  const [topic, , recipients]: unknown[] = Array.isArray(topics) ? topics : [];
  if (topic !== TRANSFER_TOPIC) throw invalidParams('The sandbox returns transfers only.');
  const head = await newestBlock(runtime, CHAIN);
  const tokens = textsOf(address ?? [...CONTRACTS.keys()], MAX_ADDRESSES).flatMap((one) => CONTRACTS.get(one) ?? []);
  const paid = recipients == null ? null : textsOf(recipients, MAX_ADDRESSES).map((one) => `0x${one.slice(-40)}`);
  const [from, to] = [numberOf(fromBlock, head), numberOf(toBlock, head)];
  if (to - from >= MAX_BLOCKS) throw invalidParams(`A request may cover at most ${MAX_BLOCKS} blocks.`);
  return logsOf(await runtime.database.run(LOGS, { from, to, tokens, paid }));
}

type Log = ReturnType<typeof logsOf>[number];

function logsOf(transfers: readonly MinedTransfer[]) {
  return transfers.map(({ hash, blockNumber, blockHash, token, recipient, amount }) => ({
    address: token === 'USDC' ? SANDBOX_DEPOSITS.usdcContract : SANDBOX_DEPOSITS.usdtContract,
    topics: [TRANSFER_TOPIC, word(''), word(recipient.slice(2))],
    data: word(BigInt(amount).toString(16)),
    blockNumber: hex(blockNumber),
    blockHash,
    transactionHash: hash,
    transactionIndex: '0x0',
    logIndex: '0x0',
    removed: false,
  }));
}

async function blockAt(runtime: AccountsRuntime, tag: unknown): Promise<SandboxBlock | undefined> {
  const head = await newestBlock(runtime, CHAIN);
  const number = numberOf(tag, head);
  return number === head.number ? head : blockByNumber(runtime, CHAIN, number);
}

/** The block number of a tag or a hexadecimal number. @throws RpcFault */
function numberOf(tag: unknown, head: SandboxBlock): number {
  if (tag === 'earliest') return 0;
  if (tag === 'latest' || tag === 'pending') return head.number;
  const number = typeof tag === 'string' && /^0x[0-9a-f]{1,8}$/i.test(tag) ? Number(tag) : NaN;
  if (!(number <= MAX_BLOCK_NUMBER)) throw invalidParams('A block is `latest`, `earliest` or a hexadecimal number.');
  return number;
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw invalidParams('An object is needed.');
  return { ...value };
}

function hex(number: number): string {
  return `0x${number.toString(16)}`;
}

/** Hexadecimal digits padded to 32 bytes. */
function word(digits: string): string {
  return `0x${digits.padStart(64, '0')}`;
}
