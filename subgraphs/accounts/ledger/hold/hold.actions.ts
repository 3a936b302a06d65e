import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { JobDefinition, Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Tables } from '../../entities.js';
import type { AccountsRuntime } from '../../services.js';
import { balanceTopic, payDebt, postTransfer, refuseOverdraft } from '../transfer/transfer.actions.js';
import type { CreditHold, HoldRow } from './hold.js';

/** A hold to open; `source` and `reference` identify it. */
export interface HoldRequest {
  readonly userId: number;
  readonly source: string;
  readonly reference: string;
  /** Exact decimal above zero. */
  readonly credits: string;
  /** Reason for the statement. */
  readonly reason: string;
  readonly expiresAt: Date;
}

/** How other subgraphs name a hold. */
export interface HoldKey {
  readonly source: string;
  readonly reference: string;
}

/** A settlement: spends part of a hold, once per `settlement` key. */
export interface Settlement extends HoldKey {
  readonly settlement: string;
  /** Exact decimal above zero. */
  readonly credits: string;
  /** Undefined: the reason of the hold. */
  readonly reason: string | undefined;
  /** Releases the remaining credits. */
  readonly isLast: boolean;
}

type Hold = CreditHold & Pick<HoldRow, 'reason'>;

const COLUMNS = [
  'hold.id',
  'hold.userId',
  'hold.reason',
  sql<string>`trim_scale(credits)::text`.as('credits'),
  sql<string>`trim_scale(settled)::text`.as('settled'),
  sql<string>`trim_scale(remaining)::text`.as('remaining'),
  'hold.state',
  'hold.expiresAt',
] as const;

/** Maximum holds that one run of the job closes. */
const MAX_EXPIRED = 1_000;

const EXPIRED = query('expired-holds', (db: Tables, value: { now: Date }) =>
  db
    .selectFrom('hold')
    .select(COLUMNS)
    .where('state', '=', sql.lit('open'))
    .where('expiresAt', '<=', value.now)
    .orderBy('expiresAt')
    .limit(sql.lit(MAX_EXPIRED)),
);

/** Releases expired holds. One that cannot be closed stays for the next run and does not stop the others. */
export async function expireHolds({ database, log, now }: Pick<AccountsRuntime, 'database' | 'log' | 'now'>) {
  const at = now();
  for (const hold of await database.run(EXPIRED, { now: at })) {
    const closing = database.change((transaction) => closeHold(transaction, hold, { state: 'expired', now: at }));
    await closing.catch((err: unknown) => log.error({ err, hold: hold.id }, 'could not release an expired hold'));
  }
}

/**
 * Releases expired holds whose own job was lost. Every five minutes: a process of the previous version leaves such a job out, and
 * would retry one of each minute.
 */
export const EXPIRE_HOLDS: JobDefinition<AccountsRuntime> = {
  name: 'expire-holds',
  cron: '*/5 * * * *',
  work: (_data, runtime) => expireHolds(runtime),
};

/** Releases a hold when it expires. The previous version has no other job for it; drop this one with the next version. */
export const HOLD_EXPIRY: JobDefinition<AccountsRuntime> = {
  name: 'hold-expiry',
  async work({ source, reference }, { database, now }) {
    await database.change(async (transaction) => {
      const [hold] = await transaction.run(LOCK, { source: String(source), reference: String(reference) });
      if (hold) await closeHold(transaction, hold, { state: 'expired', now: now() });
    });
  },
};

const INSERT = query(
  'insert-hold',
  (db: Tables, { userId, source, reference, reason, credits, expiresAt, now }: HoldRequest & { now: Date }) =>
    db
      .insertInto('hold')
      .values({ userId, source, reference, reason, credits, remaining: credits, createdAt: now, expiresAt })
      .onConflict((on) => on.constraint('hold_once').doNothing())
      .returning(COLUMNS),
);

/**
 * Reserves credits; repeating the same identity returns the same hold, whatever its state.
 * @throws PAYMENT_REQUIRED if the available balance is too low, CONFLICT if the identity
 * belongs to another hold, NOT_FOUND for an unknown user
 */
export function placeHold(database: Database, jobs: Jobs, request: HoldRequest, now: Date): Promise<CreditHold> {
  const { userId, source, reference, expiresAt } = request;
  return database.change(async (transaction) => {
    const [placed] = await transaction.run(INSERT, { ...request, now }).catch(refuseHold);
    if (!placed) return sameHold(transaction, request);
    const job = { key: placed.id, startAfter: expiresAt };
    await jobs.enqueue(transaction, HOLD_EXPIRY.name, { source, reference }, job);
    transaction.publishAfterCommit(balanceTopic(userId));
    return placed;
  });
}

const SETTLED = query('settlement-transfer', (db: Tables, value: HoldKey & { kind: string }) =>
  db
    .selectFrom('transfer')
    .select('id')
    .where((eb) => eb.and({ source: value.source, reference: value.reference }))
    .where('kind', '=', value.kind),
);

/**
 * Spends part of a hold; repeating a settlement spends nothing more.
 * @throws NOT_FOUND, CONFLICT if fewer credits remain, the hold has expired, or the settlement key has another amount
 */
export function settleHold(database: Database, settlement: Settlement, now: Date): Promise<CreditHold> {
  return database.change(async (transaction) => {
    const hold = await lockHold(transaction, settlement);
    const transfer = {
      source: settlement.source,
      reference: `${hold.id}:${settlement.settlement}`,
      kind: 'settlement',
      reason: settlement.reason ?? hold.reason,
      userId: hold.userId,
      credits: `-${settlement.credits}`,
      link: settlement.reference,
    };
    // The row lock serializes settlements of one hold, so no other request posts this transfer meanwhile.
    const [known] = await transaction.run(SETTLED, transfer);
    if (!known) await takeFromHold(transaction, hold, { credits: settlement.credits, now });
    await postTransfer(transaction, transfer, now);
    return settlement.isLast
      ? closeHold(transaction, await lockHold(transaction, settlement), { state: 'released', now })
      : lockHold(transaction, settlement);
  });
}

/** Releases the remaining credits of a hold; no effect on a closed hold. @throws NOT_FOUND */
export function releaseHold(database: Database, key: HoldKey, now: Date): Promise<CreditHold> {
  return database.change(async (transaction) =>
    closeHold(transaction, await lockHold(transaction, key), { state: 'released', now }),
  );
}

const LOCK = query('lock-hold', (db: Tables, value: HoldKey) =>
  db
    .selectFrom('hold')
    .select(COLUMNS)
    .where((eb) => eb.and({ source: value.source, reference: value.reference }))
    .forUpdate(),
);

async function lockHold(transaction: Transaction, key: HoldKey): Promise<Hold> {
  const [hold] = await transaction.run(LOCK, key);
  if (!hold) throw notFound('There is no such hold.');
  return hold;
}

const SAME = query('same-hold', (db: Tables, value: HoldRequest) =>
  db
    .selectFrom('hold')
    .select(COLUMNS)
    .where((eb) => eb.and({ source: value.source, reference: value.reference, userId: value.userId }))
    .where('credits', '=', sql<string>`${value.credits}::numeric`),
);

async function sameHold(transaction: Transaction, request: HoldRequest): Promise<CreditHold> {
  const [same] = await transaction.run(SAME, request);
  if (!same) throw conflict('This key was already used for another hold.');
  return same;
}

/** The primary key of a hold. */
type HoldPrimaryKey = Pick<CreditHold, 'userId' | 'id'>;

const TAKE = query(
  'take-from-hold',
  (_: Tables, { userId, id, credits, now }: HoldPrimaryKey & { credits: string; now: Date }) => sql<{ id: string }>`
  UPDATE accounts.hold SET remaining = remaining - ${credits}::numeric, settled = settled + ${credits}::numeric,
         state = CASE WHEN remaining = ${credits}::numeric THEN 'settled' ELSE state END,
         closed_at = CASE WHEN remaining = ${credits}::numeric THEN ${now}::timestamptz END
   WHERE user_id = ${userId} AND id = ${id} AND remaining >= ${credits}::numeric AND expires_at > ${now} RETURNING id`,
);

/** Lowers the held credits, so that the balance can be debited by that amount. */
async function takeFromHold(
  transaction: Transaction,
  hold: Hold,
  { credits, now }: { readonly credits: string; readonly now: Date },
): Promise<void> {
  const taken = await transaction.run(TAKE, { userId: hold.userId, id: hold.id, credits, now });
  if (taken.length > 0) return;
  if (hold.expiresAt <= now) throw conflict('This hold has expired.');
  throw conflict(`Only ${hold.remaining} credits remain in this hold.`);
}

interface Closing extends HoldPrimaryKey {
  readonly state: 'released' | 'expired';
  readonly now: Date;
}

const CLOSE = query('close-hold', (db: Tables, { userId, id, state, now }: Closing) =>
  db
    .updateTable('hold')
    .set({ remaining: sql.lit('0'), state, closedAt: now })
    .where((row) => row.and({ userId, id }))
    .where('state', '=', sql.lit('open'))
    .returning(COLUMNS),
);

async function closeHold(
  transaction: Transaction,
  hold: Hold,
  { state, now }: Omit<Closing, keyof HoldPrimaryKey>,
): Promise<CreditHold> {
  const [closed] = await transaction.run(CLOSE, { userId: hold.userId, id: hold.id, state, now });
  if (!closed) return hold;
  const transfer = { source: 'hold', reference: hold.id, kind: 'debt', reason: 'Held credits that pay a debt' };
  await payDebt(transaction, { ...transfer, userId: hold.userId }, now);
  transaction.publishAfterCommit(balanceTopic(hold.userId));
  return closed;
}

function refuseHold(error: unknown): never {
  if (violatedConstraint(error) === 'hold_user_id_fkey') throw notFound('This user has no ledger account.');
  return refuseOverdraft(error);
}
