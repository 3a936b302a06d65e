import { sql } from 'kysely';
import { query } from '../../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../../entities.js';
import type { AccountsRuntime } from '../../../services.js';
import { DEPOSIT_TTL_MS, WATCH_TTL_MS } from '../deposit.rules.js';
import { chainNamed } from '../../chain/chain-of.js';
import { watchJobName, type ChainName, type DepositChain } from '../../chain/chain.js';
import { isSandboxChain } from '../../chain/sandbox-chains.js';
import { creditPayments } from './credit.actions.js';
import { cursorOf } from './cursor.actions.js';
import { scanChain } from './scan.actions.js';

/** Milliseconds until the next scan while a payment is expected. */
const POLL_INTERVAL_MS = 6_000;

interface At {
  readonly chain: ChainName;
  readonly now: Date;
}

/** A transaction can be paid in the first part of the time in which its address is watched. */
const AWAITED = query(
  'deposit-awaited',
  (_: Tables, { chain, now, payableBefore }: At & { payableBefore: Date }) => sql<object>`
  SELECT 1 FROM accounts.deposit d JOIN accounts.transaction t ON t.user_id = d.user_id AND t.id = d.transaction_id
   WHERE d.chain = ${chain} AND d.watched_until > ${payableBefore}
     AND t.status IN ('pending', 'payment_confirmed') AND t.expires_at > ${now}
  UNION ALL
  SELECT 1 FROM accounts.deposit_payment WHERE chain = ${chain} AND state IN ('seen', 'confirmed') LIMIT 1`,
);

/** Scans a chain once: reads it to its head, credits confirmed payments and expires deposits. A failed scan credits what is stored. */
export async function watchChain(runtime: AccountsRuntime, chain: DepositChain): Promise<void> {
  const { head, isComplete } = await scanChain(runtime, chain).catch(async (error: unknown) => {
    await creditStored(runtime, chain).catch((err: unknown) => {
      runtime.log.error({ err, chain: chain.name }, 'could not credit stored payments');
    });
    throw error;
  });
  await creditPayments(runtime, chain, head);
  if (isComplete) await expireDeposits(runtime, chain);
}

/** Credits stored payments, up to the last scanned block if the node does not answer. */
async function creditStored(runtime: AccountsRuntime, chain: DepositChain): Promise<void> {
  const head = await chain.head().catch(() => cursorOf(runtime.database, chain.name));
  if (head) await creditPayments(runtime, chain, head);
}

const EXPIRE = query('deposit-expire', (db: Tables, { chain, now }: At) =>
  db
    .updateTable('transaction as t')
    .from('deposit as d')
    .set({ status: 'expired', updatedAt: now })
    .whereRef('d.userId', '=', 't.userId')
    .whereRef('d.transactionId', '=', 't.id')
    .where('d.chain', '=', chain)
    .where('d.watchedUntil', '>', now)
    .where('t.status', '=', 'pending')
    .where('t.expiresAt', '<=', now)
    .where(
      sql<boolean>`NOT EXISTS (SELECT 1 FROM accounts.deposit_payment p
                                WHERE p.user_id = t.user_id AND p.transaction_id = t.id AND p.state IN ('seen', 'confirmed'))`,
    ),
);

/** Expires unpaid transactions that are overdue. Call it only after the chain was scanned to its head. */
async function expireDeposits({ database, now }: AccountsRuntime, chain: DepositChain): Promise<void> {
  await database.change((transaction) => transaction.run(EXPIRE, { chain: chain.name, now: now() }));
}

const CHAINS = ['evm', 'substrate', 'sandbox-evm', 'sandbox-substrate'] as const satisfies readonly ChainName[];

export const DEPOSIT_JOBS: readonly JobDefinition<AccountsRuntime>[] = CHAINS.map(watchJob);

function watchJob(name: ChainName): JobDefinition<AccountsRuntime> {
  return {
    name: watchJobName(name),
    cron: '* * * * *',
    work: async (_data, runtime) => {
      if (isSandboxChain(name) && !(await hasDeposits(runtime, name))) return;
      const chain = await chainNamed(runtime, name);
      if (!chain) return;
      try {
        await watchChain(runtime, chain);
      } catch (error) {
        // A failed scan needs no retry, because the next one starts within a minute.
        runtime.log.error({ err: error, chain: name }, 'could not scan a chain');
        return;
      }
      const { database, jobs, now } = runtime;
      const after = (ms: number) => new Date(now().getTime() + ms);
      const awaited = { chain: name, now: now(), payableBefore: after(WATCH_TTL_MS - DEPOSIT_TTL_MS) };
      if ((await database.run(AWAITED, awaited)).length === 0) return;
      const startAfter = after(POLL_INTERVAL_MS);
      await database.change((transaction) =>
        jobs.enqueue(transaction, watchJobName(name), {}, { key: 'awaited', startAfter }),
      );
    },
  };
}

const WATCHED = query('deposit-watched-any', (db: Tables, { chain, now }: At) =>
  db.selectFrom('deposit').select('chain').where('chain', '=', chain).where('watchedUntil', '>', now).limit(1),
);

/**
 * Whether a deposit waits for payments. Only then sandbox chains are scanned, because most platforms never use them.
 */
async function hasDeposits({ database, now }: AccountsRuntime, name: ChainName): Promise<boolean> {
  return (await database.run(WATCHED, { chain: name, now: now() })).length > 0;
}
