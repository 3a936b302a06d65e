import { sql } from 'kysely';
import type { Transaction } from '../../../kernel/database/database.js';
import type { Snapshot } from '../../../kernel/database/in-transaction.js';
import { query } from '../../../kernel/database/query.js';
import { requireUser } from '../../../kernel/security/viewer.js';
import { CREDIT_BALANCE_OF_USER } from '../calls.js';
import type { Tables } from '../entities.js';
import type { Manifest } from '../inputs/manifest.rules.js';
import type { SyncContext } from '../services.js';
import { storagePrice } from './price.actions.js';
import { affordableBytes, refuseShortfall, availableBalance, type Budget, type OwnedBytes } from './quota.rules.js';
import { restorableSince } from './restorable.rules.js';

/** The budget of the viewer; undefined if storage is free or billing is bypassed, without a call to accounts. @throws UNAVAILABLE */
export async function readBudget({
  database,
  viewer,
  callSubgraph,
  requestId,
  isBillingBypassed,
}: Pick<SyncContext, 'database' | 'viewer' | 'callSubgraph' | 'requestId' | 'isBillingBypassed'>): Promise<
  Budget | undefined
> {
  if (isBillingBypassed) return undefined;
  const { creditsPerGibMonth } = await storagePrice(database);
  if (creditsPerGibMonth === null) return undefined;
  const { balance, held } = await callSubgraph(
    CREDIT_BALANCE_OF_USER,
    { userId: requireUser(viewer).userId },
    requestId,
  );
  return { creditsPerGibMonth, balance: availableBalance(balance, held) };
}

/** Identifies a file to be written; without a path hash, a new file. */
type FileKey = Pick<Manifest, 'ownerAddress'> & Partial<Pick<Manifest, 'folderHash' | 'pathHash'>>;

/** Bytes reserved by open upload sessions of the owner `o`; 0 for a session, as it has reserved its own. */
const reservedAt = ({ now, isReserved }: { readonly now: Date; readonly isReserved: boolean }) => sql<string>`
  CASE WHEN ${isReserved} THEN 0 ELSE coalesce((
  SELECT sum(s.ciphertext_size) FROM sync.upload_session s
   WHERE s.owner_id = o.id AND s.state = 'receiving' AND s.expires_at > ${now}), 0) END`;

interface StoredValues {
  readonly ownerAddress: string;
  readonly now: Date;
  readonly since: Date;
  readonly folderHash: string;
  readonly pathHash: Buffer | null;
  readonly isReserved: boolean;
}

const LIVE = sql`coalesce(sum(d.stored_bytes) FILTER (WHERE d.deleted_at IS NULL), 0)`;
const RESTORABLE = sql`coalesce(sum(d.stored_bytes) FILTER (WHERE d.deleted_at IS NOT NULL), 0)`;

/** Folders of the owner `o`: live, and those that can be restored. */
const foldersSince = (since: Date) =>
  sql`LEFT JOIN sync.folder d ON d.owner_id = o.id AND (d.deleted_at IS NULL OR d.deleted_at > ${since})`;

/** Whole numbers as digits. */
interface StoredRow {
  readonly charged: string;
  readonly restorable: string;
}

const STORED = query(
  'sync-stored-beside',
  (_: Tables, value: StoredValues) => sql<StoredRow>`
  SELECT (${reservedAt(value)} + ${LIVE} - coalesce((
           SELECT b.size_bytes FROM sync.folder p JOIN sync.file f ON f.owner_id = p.owner_id AND f.folder_id = p.id
             JOIN sync.blob b ON b.owner_id = f.owner_id AND b.id = f.blob_id
            WHERE p.owner_id = o.id AND p.deleted_at IS NULL AND p.folder_hash = ${value.folderHash}
              AND f.path_hash = ${value.pathHash}), 0))::text AS charged, ${RESTORABLE}::text AS restorable
    FROM sync.owner o ${foldersSince(value.since)}
   WHERE o.address = ${value.ownerAddress} GROUP BY o.id`,
);

interface AddedFile {
  readonly fileKey: FileKey;
  readonly addedBytes: bigint;
  /** A session has reserved the bytes: reservations of other sessions do not count. */
  readonly isReserved?: boolean;
}

/** Bytes stored and reserved by an owner, without the file of this place and with these bytes. */
export async function storedWith(
  database: Pick<Snapshot, 'run'>,
  { fileKey, addedBytes, isReserved = false }: AddedFile,
  now: Date,
): Promise<OwnedBytes> {
  const [stored] = await database.run(STORED, { ...storedValues(fileKey, now), isReserved });
  return ownedBytes(stored, addedBytes);
}

function ownedBytes(stored: StoredRow | undefined, addedBytes: bigint): OwnedBytes {
  return { charged: BigInt(stored?.charged ?? '0') + addedBytes, restorable: BigInt(stored?.restorable ?? '0') };
}

function storedValues({ ownerAddress, folderHash, pathHash }: FileKey, now: Date): Omit<StoredValues, 'isReserved'> {
  return { ownerAddress, now, since: restorableSince(now), folderHash: folderHash ?? '', pathHash: pathHash ?? null };
}

/** Refuses a file that the owner cannot pay for in addition to all files and open sessions; after `lockQuota`. @throws PAYMENT_REQUIRED */
export async function checkLockedFile(
  transaction: Transaction,
  { budget, ...file }: { readonly budget: Budget; readonly fileKey: FileKey; readonly addedBytes: bigint },
  now: Date,
): Promise<void> {
  refuseShortfall(budget, await storedWith(transaction, file, now));
}

/** What a file may have for its owner to pay for it, before its bytes are read; `writeFile` decides. */
export interface Allowance {
  readonly maxBytes: number;
  /** Refuses a file of more bytes. @throws PAYMENT_REQUIRED */
  check(addedBytes: bigint): void;
}

/** The allowance for a file at this place. @throws UNAVAILABLE */
export async function readAllowance(context: SyncContext, fileKey: FileKey): Promise<Allowance> {
  const budget = await readBudget(context);
  if (!budget) return { maxBytes: Infinity, check: () => undefined };
  const owned = await storedWith(context.database, { fileKey, addedBytes: 0n }, context.now());
  return {
    maxBytes: Number(affordableBytes(budget, owned)),
    check: (addedBytes) => refuseShortfall(budget, { ...owned, charged: owned.charged + addedBytes }),
  };
}

/** Refuses a file that the owner cannot pay for before its bytes are read; `writeFile` decides. @throws PAYMENT_REQUIRED, UNAVAILABLE */
export async function checkQuota(context: SyncContext, file: AddedFile): Promise<void> {
  const budget = await readBudget(context);
  if (budget) refuseShortfall(budget, await storedWith(context.database, file, context.now()));
}

const LOCK_QUOTA = query('lock-quota-of-owner', (db: Tables, value: { ownerId: string }) =>
  db.selectFrom('owner').select('id').where('id', '=', value.ownerId).forNoKeyUpdate(),
);

/** Locks the quota of this owner: others that add to its stored bytes or registered folders wait. */
export async function lockQuota(transaction: Transaction, ownerId: string): Promise<void> {
  await transaction.run(LOCK_QUOTA, { ownerId });
}

interface Addition {
  readonly ownerId: string;
  readonly addedBytes: bigint;
  /** The session has reserved the bytes: reservations of other sessions do not count. */
  readonly isReserved?: boolean;
  /** The bytes are those of a deleted folder, which are kept already. */
  readonly isRestored?: boolean;
}

const STORED_OF_OWNER = query(
  'stored-bytes-of-owner',
  (_: Tables, value: { ownerId: string; now: Date; since: Date; isReserved: boolean }) => sql<StoredRow>`
  SELECT (${LIVE} + ${reservedAt(value)})::text AS charged,
         ${RESTORABLE}::text AS restorable
    FROM sync.owner o ${foldersSince(value.since)} WHERE o.id = ${value.ownerId} GROUP BY o.id`,
);

/** Refuses an addition that the owner cannot pay for; after `lockQuota`. @throws PAYMENT_REQUIRED */
export async function checkLockedQuota(
  transaction: Transaction,
  budget: Budget,
  { ownerId, addedBytes, isReserved = false, isRestored = false }: Addition,
  now: Date,
): Promise<void> {
  const values = { ownerId, now, since: restorableSince(now), isReserved };
  const [stored] = await transaction.run(STORED_OF_OWNER, values);
  const bytes = ownedBytes(stored, addedBytes);
  refuseShortfall(budget, isRestored ? { ...bytes, restorable: 0n } : bytes);
}
