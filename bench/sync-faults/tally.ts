import { createHash, randomBytes } from 'node:crypto';
import { downloadPath, send } from '../../tests/kit/bytes.js';
import type { SignedIn } from '../../tests/kit/wallet.js';
import { TestUpload } from '../../tests/kit/upload.js';

export const CHUNK_BYTES = 128 * 1024;
export const CHUNKS = 6;

/** What became of the files of one kind of fault. */
export interface Tally {
  readonly kind: string;
  readonly rounds: number;
  readonly files: number;
  /** Finalized by an answer before the fault or during it. */
  readonly acknowledged: number;
  /** Of those, not there afterwards byte by byte. */
  readonly lost: number;
  /** Acknowledged chunks that status does not list afterwards. */
  readonly forgottenChunks: number;
  /** Files whose listed chunks, with the missing ones sent, cannot be finalized and read back. */
  readonly unreadable: number;
}

/** A file on its way, and what was acknowledged of it. */
export interface Tracked {
  readonly upload: TestUpload;
  readonly chunks: Set<number>;
  isFinalized: boolean;
}

/** Opens uploads of random bytes. */
export function openAll(user: SignedIn, url: string, count: number): Promise<Tracked[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const bytes = randomBytes(CHUNKS * CHUNK_BYTES - 17);
      const upload = await TestUpload.open({ user, url, bytes, chunkSize: CHUNK_BYTES });
      return { upload, chunks: new Set<number>(), isFinalized: false };
    }),
  );
}

/** Sends these chunks one after the other and notes which were acknowledged; goes on after a refusal, ends with the connection. */
export async function sendChunks({ upload, chunks }: Tracked, indices: readonly number[]): Promise<void> {
  for (const index of indices) {
    const { status } = await upload.put(index);
    if (status === 200) chunks.add(index);
  }
}

export async function finalize(tracked: Tracked): Promise<void> {
  const { status } = await tracked.upload.finalize();
  if (status === 200) tracked.isFinalized = true;
}

export const ALL_CHUNKS = [...Array(CHUNKS).keys()];

/** What is there of the files once all works again: finalized ones are read, all others are completed, finalized and read. */
export async function settle(files: readonly Tracked[], url: string) {
  const counts = { files: files.length, acknowledged: 0, lost: 0, forgottenChunks: 0, unreadable: 0 };
  for (const { upload: former, chunks, isFinalized } of files) {
    const upload = former.at(url);
    if (isFinalized) {
      counts.acknowledged += 1;
      if (!(await isThere(upload))) counts.lost += 1;
      continue;
    }
    const listed: readonly number[] = (await upload.status()).body.Success.chunks_received;
    counts.forgottenChunks += [...chunks].filter((index) => !listed.includes(index)).length;
    await upload.putAll(ALL_CHUNKS.filter((index) => !listed.includes(index)));
    const { status } = await upload.finalize();
    if (status !== 200 || !(await isThere(upload))) counts.unreadable += 1;
  }
  return counts;
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function isThere({ plan }: TestUpload): Promise<boolean> {
  const path = `GET ${downloadPath(plan.manifest)}`;
  const reply = await send(path, undefined, { token: plan.user.token, url: plan.url }).catch(() => undefined);
  return reply?.status === 200 && hashOf(reply.bytes) === hashOf(plan.bytes);
}
