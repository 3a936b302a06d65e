import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
import { chargeCredits } from '../ledger/ledger.actions.js';
import { userByAddress } from '../../identity/user/user.actions.js';
import { USAGE_COLUMNS, type UsageRecord, type UsageRecordPage } from './usage-record.js';

/** A measurement by a validator. */
export interface Usage {
  readonly substrateAddress: string;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  /** Whole bytes, as digits. */
  readonly storageBytes: string;
}

/** The charge for a period of storage. */
interface StorageCharge {
  /** Exact decimal above zero. */
  readonly credits: string;
  /** Idempotency key. */
  readonly reference: string;
}

/**
 * Records the usage of a period; repeating the same account and period updates the record. The charge
 * is taken once; an uncovered amount becomes a debt. @throws NOT_FOUND, CONFLICT if the reference was charged with another amount
 */
export async function recordUsage(
  database: Database,
  { charge, ...usage }: Usage & { readonly charge?: StorageCharge | undefined },
  now: Date,
): Promise<UsageRecord> {
  const user = await userByAddress(database, usage.substrateAddress);
  return database.change(async (transaction) => {
    const record = await writeRecord(transaction, { ...usage, userId: user.id }, now);
    if (charge) {
      const day = usage.periodStart.toISOString().slice(0, 10);
      const reason = `Storage of ${usage.storageBytes} bytes on ${day}`;
      await chargeCredits(transaction, { source: 'storage', kind: 'storage', reason, userId: user.id, ...charge }, now);
    }
    return record;
  });
}

async function writeRecord(
  transaction: Transaction,
  usage: Omit<Usage, 'substrateAddress'> & { readonly userId: number },
  now: Date,
): Promise<UsageRecord> {
  const [record] = await transaction.execute<UsageRecord>(
    `WITH r AS (
       INSERT INTO accounts.usage_record (user_id, period_start, period_end, storage_bytes, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $5)
       ON CONFLICT ON CONSTRAINT usage_record_once
         DO UPDATE SET storage_bytes = excluded.storage_bytes, updated_at = excluded.updated_at
       RETURNING *)
     SELECT ${USAGE_COLUMNS} FROM r JOIN accounts.user u ON u.id = r.user_id`,
    [usage.userId, usage.periodStart, usage.periodEnd, usage.storageBytes, now],
  );
  if (!record) throw new Error('an upsert returns its row');
  return record;
}

const OF_USER = 'accounts.usage_record r JOIN accounts.user u ON u.id = r.user_id WHERE r.user_id = $1';
const ORDER = 'ORDER BY r.period_end DESC, r.period_start DESC';
const PAGE = { name: 'usage-page', text: `SELECT ${USAGE_COLUMNS} FROM ${OF_USER} ${ORDER} LIMIT $2 OFFSET $3` };
const COUNT = {
  name: 'usage-count',
  text: 'SELECT count(*)::integer AS count FROM accounts.usage_record WHERE user_id = $1',
};
const LATEST = { name: 'usage-latest', text: `SELECT ${USAGE_COLUMNS} FROM ${OF_USER} ${ORDER} LIMIT 1` };

/** A page of the user's records. */
export async function listUsage(database: Database, userId: number, request: PageRequest): Promise<UsageRecordPage> {
  const [results, [total]] = await Promise.all([
    database.rows<UsageRecord>(PAGE, [userId, request.pageSize, offsetOf(request)]),
    database.rows<{ count: number }>(COUNT, [userId]),
  ]);
  return { ...request, count: total?.count ?? 0, results };
}

/** The record of the user's latest period; undefined before the first. */
export async function latestUsage(database: Database, userId: number): Promise<UsageRecord | undefined> {
  const [record] = await database.rows<UsageRecord>(LATEST, [userId]);
  return record;
}
