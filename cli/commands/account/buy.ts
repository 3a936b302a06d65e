import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { graphql } from '../../../sdk/src/index.js';
import { previewOf } from '../../confirm.js';
import { amountOf } from '../../failure.js';
import { run, type Session } from '../../session.js';

const BUY = graphql(
  'mutation ($amount: Decimal!) { createCheckoutSession(amount: $amount) { checkoutUrl transactionId } }',
);
const DEPOSIT = graphql(`
  mutation ($amount: Decimal!, $currency: String!) {
    createTransaction(paymentType: "crypto", currency: $currency, amount: $amount) {
      id
      paymentUrl
    }
  }
`);
const ADDRESS = graphql(
  'query ($id: ID!) { deposit(transactionId: $id) { paymentAddress amount currency quotedPriceUsd quotedUntil expiresAt } }',
);
const STATE = graphql('query ($id: String!) { transaction(id: $id) { status creditsGranted completedAt } }');

const POLL_INTERVAL_MS = 1000;

interface Waiting {
  readonly wait?: boolean;
}

/** Adds `credits buy` and `credits deposit`. */
export function addPayments(credits: Command): void {
  const wait = ['--wait', 'wait until the payment is credited'] as const;
  credits
    .command('buy <dollars>')
    .description('buy credits by card: prints the address of a checkout page')
    .option(...wait)
    .action(run(buy));
  credits
    .command('deposit <currency> <amount>')
    .description('buy credits with USDC, USDT or TAO: prints where to pay, the price and until when')
    .option(...wait)
    .action(run(deposit));
}

async function buy(session: Session, [dollars = '']: readonly string[], options: Waiting): Promise<void> {
  const { createCheckoutSession: page } = await session.client.graphql(BUY, { amount: amountOf(dollars) });
  await show(session, options, { ...page, transactionId: page.transactionId ?? '' });
}

async function deposit(
  session: Session,
  [currency = '', word = '']: readonly string[],
  options: Waiting,
): Promise<void> {
  const { client } = session;
  const request = { currency: currency.toUpperCase(), amount: amountOf(word) };
  const { createTransaction: transaction } = await client.graphql(DEPOSIT, request);
  const { id: transactionId, paymentUrl } = transaction;
  const { deposit: terms } = await client.graphql(ADDRESS, { id: transactionId });
  await show(session, options, { ...terms, paymentUrl, transactionId });
}

/** What tells how to pay, and the transaction that it pays. */
interface Payment extends Readonly<Record<string, string | null>> {
  readonly transactionId: string;
}

/** Shows how to pay; with `--wait` waits until it is paid. With `--json` one object has both. */
async function show(session: Session, { wait }: Waiting, payment: Payment): Promise<void> {
  const { output } = session;
  if (wait !== true) return output.record(payment);
  previewOf(output, false)?.record(payment);
  const credited = await untilCredited(session, payment.transactionId);
  output.done(`credited ${credited.creditsGranted}`, { ...payment, ...credited });
}

/** @throws Error when the payment fails, expires or is taken back */
async function untilCredited({ client, signal }: Session, id: string) {
  for (;;) {
    const { transaction } = await client.graphql(STATE, { id });
    if (transaction.status === 'completed') return transaction;
    if (transaction.status !== 'pending' && transaction.status !== 'payment_confirmed')
      throw new Error(`The payment is ${transaction.status}.`);
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  }
}
