import type { Database, Transaction } from '../../../kernel/database.js';
import { requireUser } from '../../../kernel/viewer.js';
import { CREDIT_BALANCE_OF_USER } from '../asks.js';
import type { Manifest } from '../file/manifest.rules.js';
import type { SyncContext } from '../services.js';
import { storagePrice } from './price.actions.js';
import { refuseShortfall, spendable, type Budget } from './quota.rules.js';

/** What the viewer may store by; undefined where storage is free, and then accounts is not asked. @throws UNAVAILABLE */
export async function readBudget({
  database,
  viewer,
  ask,
  requestId,
}: Pick<SyncContext, 'database' | 'viewer' | 'ask' | 'requestId'>): Promise<Budget | undefined> {
  const { creditsPerGibMonth } = await storagePrice(database);
  if (creditsPerGibMonth === null) return undefined;
  const { balance, held } = await ask(CREDIT_BALANCE_OF_USER, { userId: requireUser(viewer).userId }, requestId);
  return { creditsPerGibMonth, balance: spendable(balance, held) };
}

/** The place of a file whose bytes are to come; without a path hash, of one that is new. */
type Place = Pick<Manifest, 'ownerAddress'> & Partial<Pick<Manifest, 'folderHash' | 'pathHash'>>;

const STORED = {
  name: 'sync-stored-beside',
  text: `
    SELECT (coalesce(sum(d.stored_bytes), 0) - coalesce((
             SELECT b.size_bytes FROM sync.file f JOIN sync.folder p ON p.id = f.folder_id JOIN sync.blob b ON b.id = f.blob_id
              WHERE p.owner_id = o.id AND p.deleted_at IS NULL AND p.folder_hash = $2 AND f.path_hash = $3), 0))::text AS bytes
      FROM sync.owner o JOIN sync.folder d ON d.owner_id = o.id AND d.deleted_at IS NULL
     WHERE o.address = $1 GROUP BY o.id`,
};

/** Bytes that are stored of an owner beside the file of this place. */
export async function storedBeside(database: Database, { ownerAddress, folderHash, pathHash }: Place): Promise<bigint> {
  const [stored] = await database.rows<{ bytes: string }>(STORED, [ownerAddress, folderHash ?? '', pathHash ?? null]);
  return BigInt(stored?.bytes ?? '0');
}

/** Refuses a file that could not be paid for, before its bytes are read; `writeFile` decides. @throws PAYMENT_REQUIRED, UNAVAILABLE */
export async function checkQuota(context: SyncContext, place: Place, sizeBytes: bigint): Promise<void> {
  const budget = await readBudget(context);
  if (budget) refuseShortfall(budget, (await storedBeside(context.database, place)) + sizeBytes);
}

/** Has whoever else stores something for this owner wait, so that what is stored by now does not change. */
export async function lockQuota(transaction: Transaction, ownerId: string): Promise<void> {
  await transaction.execute('SELECT 1 FROM sync.owner WHERE id = $1 FOR NO KEY UPDATE', [ownerId]);
}

/** Refuses a change to what is stored in a folder that the owner could not pay for; after `lockQuota`. @throws PAYMENT_REQUIRED */
export async function checkLockedQuota(
  transaction: Transaction,
  budget: Budget,
  { folderId, addedBytes }: { readonly folderId: string; readonly addedBytes: bigint },
): Promise<void> {
  const [stored] = await transaction.execute<{ bytes: string }>(
    `SELECT sum(d.stored_bytes)::text AS bytes FROM sync.folder p JOIN sync.folder d ON d.owner_id = p.owner_id
      WHERE p.id = $1 AND d.deleted_at IS NULL`,
    [folderId],
  );
  refuseShortfall(budget, BigInt(stored?.bytes ?? '0') + addedBytes);
}
