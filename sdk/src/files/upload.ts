import { bytesToHex, hexToBytes, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { asRecord, PlatformError } from '../errors.js';
import type { Transport } from '../transport.js';
import { encryptBytes, encrypted, NONCE_BYTES, type Source } from './framing.js';
import { hashOf, saltedHash } from './hash.js';
import { pathHash, signUpload, verifyingKey, type FolderKey } from './manifest.js';

/** Bytes of a chunk, and the largest file that is sent in one request. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** Chunks that are sent at once. */
const PARALLEL_CHUNKS = 4;
/** Refusals after which the session can never be finalized. */
const FINAL_STATUSES: ReadonlySet<number | undefined> = new Set([400, 403, 404, 409]);

/** What is kept of an unfinished upload, so that it can be resumed after a restart. */
export interface UploadRecord {
  readonly sessionId: string;
  readonly ciphertextHash: string;
  /** Base nonce, in hex. */
  readonly nonce: string;
  /** Id of the revision that the upload replaces, in hex; null for a new file. */
  readonly base: string | null;
}

/** Keeps the records of unfinished uploads, by key. */
export interface UploadRecords {
  readonly get: (key: string) => Promise<UploadRecord | undefined>;
  readonly set: (key: string, record: UploadRecord) => Promise<void>;
  readonly delete: (key: string) => Promise<void>;
}

export interface UploadOptions {
  readonly owner: string;
  readonly folder: FolderKey;
  /** Path in the folder, such as `docs/a.txt`. */
  readonly relativePath: string;
  readonly plaintext: Source;
  /** The revision that this upload replaces; undefined for a new file. */
  readonly base?: Revision | undefined;
  /** Makes the upload resumable. */
  readonly records?: UploadRecords | undefined;
  /** Called with the bytes that the platform has, of the whole ciphertext. */
  readonly onProgress?: ((sent: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The kind of client. Default: `desktop`. */
  readonly source?: string | undefined;
  /** Unix seconds. Default: the clock of the device. */
  readonly timestamp?: number | undefined;
}

/** A revision of a file. */
export interface Revision {
  readonly revisionId: Uint8Array;
  readonly revisionSeq: number;
}

interface Prepared extends UploadOptions {
  readonly ciphertext: Source;
  readonly ciphertextHash: string;
  readonly nonce: Uint8Array;
  readonly manifest: object;
}

/**
 * Encrypts and uploads a file: small ones in one request, others in chunks of a session. An upload that was interrupted is
 * resumed if its record is known and neither the file nor its base has changed since: the chunks that the platform has are not
 * sent again. @returns the new revision @throws PlatformError, status 409 when the file has a newer revision than `base`
 */
export async function upload(transport: Transport, options: UploadOptions): Promise<Revision> {
  const known = await options.records?.get(recordKey(options));
  if (known) {
    const revision = await resume(transport, options, known);
    if (revision) return revision;
    await abandon(transport, options, known.sessionId);
  }
  const prepared = await prepare(options, randomBytes(NONCE_BYTES));
  if (prepared.ciphertext.size <= CHUNK_BYTES) return uploadAtOnce(transport, prepared);
  const { ciphertextHash, nonce } = prepared;
  const sessionId = await openSession(transport, prepared);
  const record = { sessionId, ciphertextHash, nonce: bytesToHex(nonce), base: baseOf(options) };
  await options.records?.set(recordKey(options), record);
  return complete(transport, prepared, { sessionId, received: new Set() });
}

function recordKey({ owner, folder, relativePath }: UploadOptions): string {
  return `${owner}/${folder.folderHash}/${bytesToHex(pathHash(relativePath))}`;
}

function baseOf({ base }: UploadOptions): string | null {
  return base ? bytesToHex(base.revisionId) : null;
}

/** Reads the file once: hashes the plaintext and the ciphertext, and signs the manifest. */
async function prepare(options: UploadOptions, nonce: Uint8Array): Promise<Prepared> {
  const { owner, folder, plaintext, relativePath, base } = options;
  const ciphertext = encrypted(plaintext, folder.secret, nonce);
  const [ciphertextHash, salted] = await Promise.all([
    hashOf(ciphertext, options.signal),
    saltedHash(plaintext, owner, options.signal),
  ]);
  const encryptedPath = await encryptBytes(utf8ToBytes(relativePath), folder.secret, randomBytes(NONCE_BYTES));
  const manifest = {
    ss58_address: owner,
    folder_hash: folder.folderHash,
    ciphertext_hash: bytesToHex(ciphertextHash),
    size_bytes: plaintext.size,
    timestamp: options.timestamp ?? Math.floor(Date.now() / 1000),
    signature: [...signUpload(bytesToHex(ciphertextHash), folder.secret)],
    signing_key: [...verifyingKey(folder.secret)],
    path_hash: [...pathHash(relativePath)],
    salted_hash: [...salted],
    revision_seq: (base?.revisionSeq ?? 0) + 1,
    base_revision_id: base ? [...base.revisionId] : null,
    encrypted_path: [...encryptedPath],
    file_name: relativePath.split('/').at(-1) ?? null,
    relative_path: relativePath,
    source: options.source ?? 'desktop',
  };
  return { ...options, ciphertext, ciphertextHash: bytesToHex(ciphertextHash), nonce, manifest };
}

async function uploadAtOnce(
  transport: Transport,
  { manifest, ciphertext, signal, onProgress }: Prepared,
): Promise<Revision> {
  const form = new FormData();
  form.append('manifest', new Blob([JSON.stringify(manifest)], { type: 'application/json' }), 'manifest.json');
  const bytes = await ciphertext.read(0, ciphertext.size);
  form.append('ciphertext', new Blob([Uint8Array.from(bytes)], { type: 'application/octet-stream' }), 'ciphertext');
  const answer = await transport.json('/upload', { method: 'POST', body: form, signal });
  onProgress?.(ciphertext.size, ciphertext.size);
  return revisionOf(answer, manifest);
}

async function openSession(transport: Transport, { manifest, ciphertext, signal }: Prepared): Promise<string> {
  const layout = {
    chunk_count: Math.ceil(ciphertext.size / CHUNK_BYTES),
    chunk_size: CHUNK_BYTES,
    ciphertext_size: ciphertext.size,
  };
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ manifest, ...layout });
  const answer = await transport.json('/upload/session', { method: 'POST', headers, body, signal });
  return String(successOf(answer).session_id);
}

/** Continues a session. Returns undefined when it is for other bytes or another base, or when the platform no longer has it. */
async function resume(
  transport: Transport,
  options: UploadOptions,
  { sessionId, ciphertextHash, nonce, base }: UploadRecord,
): Promise<Revision | undefined> {
  if (base !== baseOf(options)) return undefined;
  const prepared = await prepare(options, hexToBytes(nonce));
  // The same nonce with other bytes would tell the platform how the two differ.
  if (prepared.ciphertextHash !== ciphertextHash) return undefined;
  try {
    const status = successOf(await transport.json(`/upload/session/${sessionId}/status`, { signal: options.signal }));
    const received = new Set(status.chunks_received as number[]);
    return await complete(transport, prepared, { sessionId, received });
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return undefined;
    throw error;
  }
}

/** A session and the chunks that the platform has of it. */
interface Session {
  readonly sessionId: string;
  readonly received: Set<number>;
}

/** Sends what is missing of a session. Deletes the session on a failure after which it cannot be resumed. */
async function complete(transport: Transport, prepared: Prepared, session: Session): Promise<Revision> {
  const { records } = prepared;
  try {
    const revision = await sendChunks(transport, prepared, session);
    await records?.delete(recordKey(prepared));
    return revision;
  } catch (error) {
    const isFinal = error instanceof PlatformError && FINAL_STATUSES.has(error.status);
    if (!records || isFinal) await abandon(transport, prepared, session.sessionId);
    throw error;
  }
}

/** Forgets a session and deletes it, as far as the platform takes that: a session that is left expires. */
async function abandon(transport: Transport, options: UploadOptions, sessionId: string): Promise<void> {
  await options.records?.delete(recordKey(options));
  await transport
    .send(`/upload/session/${sessionId}`, { method: 'DELETE', isRepeatable: false })
    .catch(() => undefined);
}

/** Sends the missing chunks, four at once, and finalizes the session. The first failure stops the others before it is thrown. */
async function sendChunks(
  transport: Transport,
  { ciphertext, manifest, signal: caller, onProgress }: Prepared,
  { sessionId, received }: Session,
): Promise<Revision> {
  const failure = new AbortController();
  const signal = AbortSignal.any([failure.signal, ...(caller ? [caller] : [])]);
  const count = Math.ceil(ciphertext.size / CHUNK_BYTES);
  const missing = [...Array(count).keys()].filter((index) => !received.has(index)).values();
  const sendNext = async () => {
    for (const index of missing) {
      signal.throwIfAborted();
      const bytes = await ciphertext.read(index * CHUNK_BYTES, Math.min((index + 1) * CHUNK_BYTES, ciphertext.size));
      const headers = { 'content-type': 'application/octet-stream' };
      const path = `/upload/session/${sessionId}/chunk/${index}`;
      await transport.json(path, { method: 'PUT', headers, body: Uint8Array.from(bytes), signal });
      received.add(index);
      onProgress?.(Math.min(received.size * CHUNK_BYTES, ciphertext.size), ciphertext.size);
    }
  };
  const workers = Array.from({ length: PARALLEL_CHUNKS }, sendNext);
  await Promise.all(workers.map((worker) => worker.catch((error: unknown) => failure.abort(error))));
  signal.throwIfAborted();
  // Finalizing twice gives the same answer.
  const answer = await transport.json(`/upload/session/${sessionId}/finalize`, {
    method: 'POST',
    signal,
    isRepeatable: true,
  });
  return revisionOf(answer, manifest);
}

function revisionOf(answer: unknown, manifest: object): Revision {
  const { revision_id } = successOf(answer);
  const { revision_seq } = asRecord(manifest);
  return { revisionId: Uint8Array.from(revision_id as number[]), revisionSeq: Number(revision_seq) };
}

/** Returns the payload of an answer of the folder-sync API. */
export function successOf(answer: unknown): Readonly<Record<string, unknown>> {
  return asRecord(asRecord(answer).Success);
}
