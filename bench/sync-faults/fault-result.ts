import { createHash, randomBytes } from 'node:crypto';
import { downloadPath, send } from '../../tests/kit/files/bytes.js';
import type { SignedIn } from '../../tests/kit/accounts/wallet.js';
import { TestUpload } from '../../tests/kit/files/upload.js';

export const CHUNK_BYTES = 128 * 1024;
export const CHUNKS = 6;

/** The results of one kind of fault. */
export interface FaultResult {
  readonly kind: string;
  readonly rounds: number;
  readonly files: number;
  /** Files whose finalize was acknowledged. */
  readonly acknowledged: number;
  /** Acknowledged files with missing or different bytes afterwards. */
  readonly lost: number;
  /** Acknowledged chunks that status does not list afterwards. */
  readonly forgottenChunks: number;
  /** Files whose listed chunks, with the missing ones sent, cannot be finalized and read back. */
  readonly unreadable: number;
}

/** An upload and its acknowledged chunks. */
export interface TrackedUpload {
  readonly upload: TestUpload;
  readonly chunks: Set<number>;
  isFinalized: boolean;
}

/** Opens uploads of random bytes. */
export function openUploads(user: SignedIn, url: string, count: number): Promise<TrackedUpload[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const bytes = randomBytes(CHUNKS * CHUNK_BYTES - 17);
      const upload = await TestUpload.open({ user, url, bytes, chunkSize: CHUNK_BYTES });
      return { upload, chunks: new Set<number>(), isFinalized: false };
    }),
  );
}

/** Sends these chunks in order and records the acknowledged ones. Continues after an error response, but not after a lost connection. */
export async function sendChunks({ upload, chunks }: TrackedUpload, indices: readonly number[]): Promise<void> {
  for (const index of indices) {
    const { status } = await upload.put(index);
    if (status === 200) chunks.add(index);
  }
}

export async function finalize(tracked: TrackedUpload): Promise<void> {
  const { status } = await tracked.upload.finalize();
  if (status === 200) tracked.isFinalized = true;
}

export const ALL_CHUNKS = [...Array(CHUNKS).keys()];

/** Counts the results once the platform works again: reads finalized files; completes, finalizes and reads the others. */
export async function countResults(files: readonly TrackedUpload[], url: string) {
  const counts = { files: files.length, acknowledged: 0, lost: 0, forgottenChunks: 0, unreadable: 0 };
  for (const { upload: original, chunks, isFinalized } of files) {
    const upload = original.at(url);
    if (isFinalized) {
      counts.acknowledged += 1;
      if (!(await isReadable(upload))) counts.lost += 1;
      continue;
    }
    const listed: readonly number[] = (await upload.status()).body.Success.chunks_received;
    counts.forgottenChunks += [...chunks].filter((index) => !listed.includes(index)).length;
    await upload.putAll(ALL_CHUNKS.filter((index) => !listed.includes(index)));
    const { status } = await upload.finalize();
    if (status !== 200 || !(await isReadable(upload))) counts.unreadable += 1;
  }
  return counts;
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function isReadable({ plan }: TestUpload): Promise<boolean> {
  const path = `GET ${downloadPath(plan.manifest)}`;
  const reply = await send(path, undefined, { token: plan.user.token, url: plan.url }).catch(() => undefined);
  return reply?.status === 200 && hashOf(reply.bytes) === hashOf(plan.bytes);
}
