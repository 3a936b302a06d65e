import { conflict, forbidden, notFound } from '../../../../kernel/errors.js';
import type { Viewer } from '../../../../kernel/security/viewer.js';
import type { Manifest } from '../../inputs/manifest.rules.js';
import type { Layout } from './layout.rules.js';
import type { UploadResult } from '../../files/file/upload-result.js';
import type { UploadSession } from './upload.js';

/** Maximum open sessions of an owner. */
export const MAX_SESSIONS = 64;

/** Milliseconds from the last chunk or read to the expiry of a session. */
const TTL_MS = 24 * 3_600_000;

/** Maximum Retry-After in seconds: a session may be finalized earlier than it expires. */
const MAX_WAIT_S = 120;

/** The new expiry of a session after it was used. */
export function expiryAfter(now: Date): Date {
  return new Date(now.getTime() + TTL_MS);
}

/** Seconds until the first open session expires. */
export function secondsUntil(expiry: Date, now: Date): number {
  return Math.min(MAX_WAIT_S, Math.max(1, Math.ceil((expiry.getTime() - now.getTime()) / 1000)));
}

/** A stored session. */
export interface Session extends Layout {
  readonly id: string;
  readonly ownerId: string;
  readonly ownerAddress: string;
  readonly blobId: string | null;
  readonly manifest: StoredManifest;
  readonly state: UploadSession['state'];
  readonly version: string;
  readonly result: UploadResult | null;
  /** BLAKE3 of the current chunks, if it was computed by reading them. */
  readonly hash: Buffer | null;
  readonly expiresAt: Date;
}

/** Identifies a session of an owner. */
export type SessionKey = Pick<Session, 'ownerId' | 'id'>;

/** The public state of a session. */
export interface SessionStatus extends UploadSession {
  readonly version: string;
}

/** A manifest as JSON: bytes as hex digits. */
export type StoredManifest = Readonly<Record<Exclude<keyof Manifest, Nullable>, string>> &
  Readonly<Record<Nullable, string | null>>;
type Nullable = 'baseRevisionId' | 'fileName' | 'relativePath' | 'source';

/** Converts a manifest for storage. */
export function storeManifest(manifest: Manifest): StoredManifest {
  return {
    ...manifest,
    pathHash: manifest.pathHash.toString('hex'),
    saltedHash: manifest.saltedHash.toString('hex'),
    baseRevisionId: manifest.baseRevisionId?.toString('hex') ?? null,
    encryptedPath: manifest.encryptedPath.toString('hex'),
  };
}

/** Converts a stored manifest back. */
export function loadManifest(stored: StoredManifest): Manifest {
  return {
    ...stored,
    pathHash: Buffer.from(stored.pathHash, 'hex'),
    saltedHash: Buffer.from(stored.saltedHash, 'hex'),
    baseRevisionId: stored.baseRevisionId === null ? null : Buffer.from(stored.baseRevisionId, 'hex'),
    encryptedPath: Buffer.from(stored.encryptedPath, 'hex'),
  };
}

/** Allows only the owner. "other users cannot read, extend, finalize or delete the session" @throws FORBIDDEN */
export function requireSessionOwner(viewer: Viewer, { ownerAddress }: Pick<Session, 'ownerAddress'>): void {
  if (viewer.kind !== 'user' || viewer.substrateAddress !== ownerAddress)
    throw forbidden('This upload session belongs to a different SS58 address.');
}

/** Error for a missing or expired session. */
export function sessionNotFound(): Error {
  return notFound('Upload session not found or expired: open a new one.');
}

/** Error for a change of a finalized session. */
export function alreadyFinalized(): Error {
  return conflict('This upload session is already finalized.');
}
