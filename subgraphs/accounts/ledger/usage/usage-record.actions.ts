import { sql } from 'kysely';
import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';
import { chargeCredits } from '../transfer/transfer.actions.js';
import { userByAddress } from '../../identity/user/user.actions.js';
import { USAGE_COLUMNS, type UsageRecord, type UsageRecordPage, type UsageSource } from './usage-record.js';

/** A measurement of a period. */
export interface Usage {
  readonly substrateAddress: string;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  /** Whole bytes, as digits. */
  readonly storageBytes: string;
  readonly source: UsageSource;
}

/** The charge for a period of storage. */
interface StorageCharge {
  /** Exact decimal above zero. */
  readonly credits: string;
  /** Idempotency key. */
  readonly reference: string;
}

/**
 * Records the usage of a period; repeating the same account and period updates the record, but the platform does not update
 * what a validator reported. The charge is taken once; an uncovered amount becomes a debt. @throws NOT_FOUND, CONFLICT if the reference was charged with another amount
 */
export async function recordUsage(
  database: Database,
  { charge, ...usage }: Usage & { readonly charge?: StorageCharge | undefined },
  now: Date,
): Promise<UsageRecord> {
  const { id: userId } = await userByAddress(database, usage.substrateAddress);
  return database.change(async (transaction) => {
    const record = await writeRecord(transaction, { ...usage, userId, now });
    if (charge) {
      const day = usage.periodStart.toISOString().slice(0, 10);
      const reason = `Storage of ${usage.storageBytes} bytes on ${day}`;
      await chargeCredits(transaction, { source: 'storage', kind: 'storage', reason, userId, ...charge }, now);
    }
    return { ...record, userId };
  });
}

interface NewRecord extends Omit<Usage, 'substrateAddress'> {
  readonly userId: number;
  readonly now: Date;
}

/** The new value of a column; the present one if a validator reported it and the platform writes. */
const newerUnlessReported = <Value>(column: 'storage_bytes' | 'updated_at' | 'source') => {
  const [present, newer] = [sql.ref(`usage_record.${column}`), sql.ref(`excluded.${column}`)];
  return sql<Value>`CASE WHEN usage_record.source = 'validator' AND excluded.source = 'platform' THEN ${present} ELSE ${newer} END`;
};

const WRITE = query(
  'write-usage-record',
  (db: Tables, { userId, periodStart, periodEnd, storageBytes, source, now }: NewRecord) =>
    db
      .with('r', (part) =>
        part
          .insertInto('usageRecord')
          .values({ userId, periodStart, periodEnd, storageBytes, source, createdAt: now, updatedAt: now })
          .onConflict((on) =>
            on.constraint('usage_record_once').doUpdateSet({
              storageBytes: newerUnlessReported<string>('storage_bytes'),
              updatedAt: newerUnlessReported<Date>('updated_at'),
              source: newerUnlessReported<UsageSource>('source'),
            }),
          )
          .returningAll(),
      )
      .selectFrom('r')
      .innerJoin('user as u', 'u.id', 'r.userId')
      .select(USAGE_COLUMNS),
);

async function writeRecord(transaction: Transaction, usage: NewRecord): Promise<UsageRecord> {
  const [record] = await transaction.run(WRITE, usage);
  if (!record) throw new Error('an upsert returns its row');
  return record;
}

const ofUser = (db: Tables, userId: number) =>
  db
    .selectFrom('usageRecord as r')
    .innerJoin('user as u', 'u.id', 'r.userId')
    .select(USAGE_COLUMNS)
    .where('r.userId', '=', userId)
    .orderBy('r.periodEnd', 'desc')
    .orderBy('r.periodStart', 'desc');

const PAGE = query('usage-page', (db: Tables, value: { userId: number; limit: number; offset: number }) =>
  ofUser(db, value.userId).limit(value.limit).offset(value.offset),
);
const COUNT = query('usage-count', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('usageRecord')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('userId', '=', value.userId),
);
/** The index provides the latest record of each user. */
const LATEST = query('usage-latest', (db: Tables, value: { userIds: readonly number[] }) =>
  db
    .selectFrom('user as u')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('usageRecord as own')
          .selectAll('own')
          .whereRef('own.userId', '=', 'u.id')
          .orderBy('own.periodEnd', 'desc')
          .orderBy('own.periodStart', 'desc')
          .limit(sql.lit(1))
          .as('r'),
      (on) => on.onTrue(),
    )
    .select(USAGE_COLUMNS)
    .select('u.id as userId')
    .where('u.id', '=', anyOf(value.userIds)),
);

/** A page of the user's records. */
export async function listUsage(database: Database, userId: number, request: PageRequest): Promise<UsageRecordPage> {
  const [results, [total]] = await Promise.all([
    database.run(PAGE, { userId, limit: request.pageSize, offset: offsetOf(request) }),
    database.run(COUNT, { userId }),
  ]);
  return { ...request, count: total?.count ?? 0, results };
}

/** The record of the user's latest period, read in a batch; undefined before the first. The caller authorises. */
export const latestUsage = batched(async ({ database }: Pick<Context, 'database'>, userIds: readonly number[]) =>
  inOrder(userIds, await database.run(LATEST, { userIds }), ({ userId }) => userId),
);
