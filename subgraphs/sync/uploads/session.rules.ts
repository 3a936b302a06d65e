import { conflict, forbidden, notFound } from '../../../kernel/errors.js';
import type { Viewer } from '../../../kernel/viewer.js';
import type { Manifest } from '../inputs/manifest.rules.js';
import type { Layout } from './layout.rules.js';
import type { UploadResult } from '../files/file/upload-result.js';
import type { UploadSession } from './upload.js';

/** Sessions that an owner may have open at once. Source: decisions, Folder sync */
export const MAX_SESSIONS = 64;

/** Milliseconds a session lives after its last chunk or look. Source: decisions, Folder sync */
const TTL_MS = 24 * 3_600_000;

/** Seconds that a client is asked to wait for another session at most: those who ask sooner may find one that was finished. */
const MAX_WAIT_S = 120;

/** When a session ends that is used now. */
export function expiryAfter(now: Date): Date {
  return new Date(now.getTime() + TTL_MS);
}

/** Seconds to wait for the first of the open sessions to end. */
export function secondsUntil(expiry: Date, now: Date): number {
  return Math.min(MAX_WAIT_S, Math.max(1, Math.ceil((expiry.getTime() - now.getTime()) / 1000)));
}

/** A session as it is kept. */
export interface Session extends Layout {
  readonly id: string;
  readonly ownerAddress: string;
  readonly blobId: string | null;
  readonly manifest: StoredManifest;
  readonly state: UploadSession['state'];
  readonly version: string;
  readonly result: UploadResult | null;
  /** BLAKE3 of the chunks as they are, where it was made by reading them. */
  readonly hash: Buffer | null;
  readonly expiresAt: Date;
}

/** A session as its owner is shown it. */
export interface SessionStatus extends UploadSession {
  readonly version: string;
}

/** A manifest as JSON: bytes as hex digits. */
export type StoredManifest = Readonly<Record<Exclude<keyof Manifest, Nullable>, string>> &
  Readonly<Record<Nullable, string | null>>;
type Nullable = 'baseRevisionId' | 'fileName' | 'relativePath' | 'source';

/** The manifest as it is kept with a session. */
export function storeManifest(manifest: Manifest): StoredManifest {
  return {
    ...manifest,
    pathHash: manifest.pathHash.toString('hex'),
    saltedHash: manifest.saltedHash.toString('hex'),
    baseRevisionId: manifest.baseRevisionId?.toString('hex') ?? null,
    encryptedPath: manifest.encryptedPath.toString('hex'),
  };
}

/** The manifest that was kept. */
export function loadManifest(stored: StoredManifest): Manifest {
  return {
    ...stored,
    pathHash: Buffer.from(stored.pathHash, 'hex'),
    saltedHash: Buffer.from(stored.saltedHash, 'hex'),
    baseRevisionId: stored.baseRevisionId === null ? null : Buffer.from(stored.baseRevisionId, 'hex'),
    encryptedPath: Buffer.from(stored.encryptedPath, 'hex'),
  };
}

/** Refuses all but the owner. "other users cannot read, extend, finalize or delete the session" @throws FORBIDDEN */
export function requireSessionOwner(viewer: Viewer, { ownerAddress }: Pick<Session, 'ownerAddress'>): void {
  if (viewer.kind !== 'user' || viewer.substrateAddress !== ownerAddress)
    throw forbidden('This upload session belongs to a different SS58 address.');
}

/** What is told of a session that is missing or has expired. */
export function noSession(): Error {
  return notFound('Upload session not found or expired: open a new one.');
}

/** What is told to who would change a session that is finalized. */
export function alreadyFinalized(): Error {
  return conflict('This upload session is already finalized.');
}
