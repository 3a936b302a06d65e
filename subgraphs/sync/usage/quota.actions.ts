import type { Database, Transaction } from '../../../kernel/database/database.js';
import { requireUser } from '../../../kernel/viewer.js';
import { CREDIT_BALANCE_OF_USER } from '../calls.js';
import type { Manifest } from '../inputs/manifest.rules.js';
import type { SyncContext } from '../services.js';
import { storagePrice } from './price.actions.js';
import { refuseShortfall, spendable, type Budget } from './quota.rules.js';

/** What the viewer may store by; undefined where storage is free or billing is bypassed, and then accounts is not asked. @throws UNAVAILABLE */
export async function readBudget({
  database,
  viewer,
  ask,
  requestId,
  isBillingBypassed,
}: Pick<SyncContext, 'database' | 'viewer' | 'ask' | 'requestId' | 'isBillingBypassed'>): Promise<Budget | undefined> {
  if (isBillingBypassed) return undefined;
  const { creditsPerGibMonth } = await storagePrice(database);
  if (creditsPerGibMonth === null) return undefined;
  const { balance, held } = await ask(CREDIT_BALANCE_OF_USER, { userId: requireUser(viewer).userId }, requestId);
  return { creditsPerGibMonth, balance: spendable(balance, held) };
}

/** The place of a file whose bytes are to come; without a path hash, of one that is new. */
type Place = Pick<Manifest, 'ownerAddress'> & Partial<Pick<Manifest, 'folderHash' | 'pathHash'>>;

/** Bytes that open upload sessions of the owner `o` will store, by the time `$2`; one that is being finalized has given up its blob. */
const RESERVED = `coalesce((
  SELECT sum(s.ciphertext_size) FROM sync.upload_session s
   WHERE s.owner_id = o.id AND s.state = 'receiving' AND s.blob_id IS NOT NULL AND s.expires_at > $2), 0)`;

const STORED = {
  name: 'sync-stored-beside',
  text: `
    SELECT (${RESERVED} + coalesce(sum(d.stored_bytes), 0) - coalesce((
             SELECT b.size_bytes FROM sync.file f JOIN sync.folder p ON p.id = f.folder_id JOIN sync.blob b ON b.id = f.blob_id
              WHERE p.owner_id = o.id AND p.deleted_at IS NULL AND p.folder_hash = $3 AND f.path_hash = $4), 0))::text AS bytes
      FROM sync.owner o LEFT JOIN sync.folder d ON d.owner_id = o.id AND d.deleted_at IS NULL
     WHERE o.address = $1 GROUP BY o.id`,
};

/** Bytes that are stored of an owner, or will be by open sessions, beside the file of this place; folders that can be had back count for nothing. */
export async function storedBeside(database: Database, place: Place, now: Date): Promise<bigint> {
  const [stored] = await database.rows<{ bytes: string }>(STORED, placeValues(place, now));
  return BigInt(stored?.bytes ?? '0');
}

function placeValues({ ownerAddress, folderHash, pathHash }: Place, now: Date): unknown[] {
  return [ownerAddress, now, folderHash ?? '', pathHash ?? null];
}

/** Refuses a file that could not be paid for beside all others, open sessions too; after `lockQuota`. @throws PAYMENT_REQUIRED */
export async function checkLockedPlace(
  transaction: Transaction,
  { budget, place, addedBytes }: { readonly budget: Budget; readonly place: Place; readonly addedBytes: bigint },
  now: Date,
): Promise<void> {
  const [stored] = await transaction.execute<{ bytes: string }>(STORED.text, placeValues(place, now));
  refuseShortfall(budget, BigInt(stored?.bytes ?? '0') + addedBytes);
}

/** Refuses a file that could not be paid for, before its bytes are read; `writeFile` decides. @throws PAYMENT_REQUIRED, UNAVAILABLE */
export async function checkQuota(context: SyncContext, place: Place, sizeBytes: bigint): Promise<void> {
  const budget = await readBudget(context);
  if (budget) refuseShortfall(budget, (await storedBeside(context.database, place, context.now())) + sizeBytes);
}

/** Has whoever else stores something for this owner wait, so that what is stored by now does not change. */
export async function lockQuota(transaction: Transaction, ownerId: string): Promise<void> {
  await transaction.execute('SELECT 1 FROM sync.owner WHERE id = $1 FOR NO KEY UPDATE', [ownerId]);
}

interface Addition {
  readonly folderId: string;
  readonly addedBytes: bigint;
  /** A session has kept the room since it was opened: what others will store does not matter to it. */
  readonly isReserved?: boolean;
}

/**
 * Refuses a change to what is stored in a folder that the owner could not pay for; after `lockQuota`. @throws PAYMENT_REQUIRED
 */
export async function checkLockedQuota(
  transaction: Transaction,
  budget: Budget,
  { folderId, addedBytes, isReserved = false }: Addition,
  now: Date,
): Promise<void> {
  const [stored] = await transaction.execute<{ bytes: string }>(
    `SELECT ((SELECT coalesce(sum(d.stored_bytes), 0) FROM sync.folder d WHERE d.owner_id = o.id AND d.deleted_at IS NULL)
             + CASE WHEN $3 THEN 0 ELSE ${RESERVED} END)::text AS bytes
       FROM sync.folder p JOIN sync.owner o ON o.id = p.owner_id WHERE p.id = $1`,
    [folderId, now, isReserved],
  );
  refuseShortfall(budget, BigInt(stored?.bytes ?? '0') + addedBytes);
}
