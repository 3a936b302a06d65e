import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { errorOf, PlatformError } from '../errors.js';
import type { Transport } from '../transport.js';
import { decrypted, FRAME_BYTES, frameStart, type Source } from './framing.js';
import { openHasher, updateFrom, type Hasher } from './hash.js';
import type { FolderKey } from './manifest.js';
import type { Revision } from './upload.js';

/** Where a download is written: a file, or a buffer. `size` is what an earlier download has left in it. */
export interface DownloadTarget extends Source {
  readonly write: (at: number, bytes: Uint8Array) => Promise<void>;
}

/** How a download is followed and stopped. */
export interface DownloadOptions {
  /** Called with the bytes that the target has, of the whole plaintext. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file as it is requested. */
export interface RequestedFile {
  readonly owner: string;
  readonly folder: FolderKey;
  readonly fileId: string;
}

interface Download extends RequestedFile, DownloadOptions {
  readonly sizeBytes: number;
  readonly saltedHash: Uint8Array;
  readonly revision: Revision;
  readonly target: DownloadTarget;
}

/** Requests without a new frame after which a download is given up. The SDK repeats each of them before it has an answer. */
const ATTEMPTS = 3;

/** A download cannot go on after the frames that it has. */
class NotResumable extends Error {}

/** Downloads a file into a target; see `Files.downloadTo`. */
export async function downloadTo(transport: Transport, download: Download): Promise<void> {
  const { target, sizeBytes } = download;
  const kept = Math.min(target.size, sizeBytes);
  try {
    await receive(transport, download, kept - (kept % FRAME_BYTES));
  } catch (error) {
    if (!(error instanceof NotResumable)) throw error;
    await receive(transport, download, 0);
  }
}

/** Receives what follows the first `kept` bytes, and checks the hash of all. */
async function receive(transport: Transport, download: Download, kept: number): Promise<void> {
  const { owner, target, saltedHash, signal } = download;
  const hasher = await openHasher();
  hasher.update(utf8ToBytes(owner));
  await updateFrom(hasher, { ...target, size: kept }, signal);
  await receiveFrames(transport, download, { kept, hasher });
  if (bytesToHex(hasher.digest()) === bytesToHex(saltedHash)) return;
  const message = 'The file has other bytes than the folder lists.';
  throw kept > 0 ? new NotResumable(message) : new Error(message);
}

async function receiveFrames(
  transport: Transport,
  download: Download,
  { kept, hasher }: { readonly kept: number; readonly hasher: Hasher },
): Promise<void> {
  const { target, sizeBytes, onProgress } = download;
  let done = kept;
  // An empty file has a frame too.
  const isComplete = () => done > 0 && done === sizeBytes;
  for (let attempt = 1; !isComplete(); attempt++) {
    try {
      for await (const part of framesAfter(transport, download, done)) {
        await target.write(done, part);
        hasher.update(part);
        done += part.length;
        attempt = 1;
        onProgress?.(done, sizeBytes);
      }
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !isCutOff(error)) throw error;
    }
  }
}

/** Yields the plaintext of the frames after so many bytes of plaintext. */
async function* framesAfter(transport: Transport, download: Download, done: number): AsyncGenerator<Uint8Array> {
  const key = download.folder.secret;
  if (done === 0) {
    yield* decrypted(await bytesOf(transport, download), key);
    return;
  }
  const first = done / FRAME_BYTES;
  if (!Number.isInteger(first)) throw new NotResumable('The file has frames of other lengths.');
  const header: Uint8Array[] = [];
  for await (const piece of await bytesOf(transport, download, `bytes=0-${frameStart(0) - 1}`)) header.push(piece);
  const frames = await bytesOf(transport, download, `bytes=${frameStart(first)}-`);
  yield* decrypted(joined(header, frames), key, first);
}

async function* joined(header: readonly Uint8Array[], frames: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* header;
  yield* frames;
}

/**
 * Requests the ciphertext of a file, or a range of it.
 * @throws PlatformError, status 409, code `replaced` when the file has another revision; NETWORK when the stream is cut off
 */
export async function bytesOf(
  transport: Transport,
  { owner, folder, fileId, revision, signal }: RequestedFile & DownloadOptions & { readonly revision?: Revision },
  range?: string,
): Promise<AsyncGenerator<Uint8Array>> {
  const path = `/download/${owner}/${folder.folderHash}/${fileId}`;
  const answer = await transport.send(path, { signal, ...(range !== undefined && { headers: { range } }) });
  if (!answer.ok || !answer.body) throw errorOf(answer.status, await answer.json().catch(() => ({})));
  const pieces = piecesOf(answer.body as AsyncIterable<Uint8Array>, signal);
  const found = answer.headers.get('x-revision-id');
  const isReplaced = revision && found !== null && found !== bytesToHex(revision.revisionId);
  if (!isReplaced && (range === undefined || answer.status === 206)) return pieces;
  await answer.body.cancel();
  if (isReplaced) throw new PlatformError('The file was replaced meanwhile.', 409, 'replaced');
  throw new NotResumable('A range of the file was not answered.');
}

/** Yields the pieces of a body. @throws PlatformError when it is cut off; an abort by the caller is thrown with its reason */
async function* piecesOf(body: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    signal?.throwIfAborted();
    throw new PlatformError('The answer was cut off.', undefined, 'NETWORK');
  }
}

function isCutOff(error: unknown): boolean {
  return error instanceof PlatformError && error.code === 'NETWORK';
}
