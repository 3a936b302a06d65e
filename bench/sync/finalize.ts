import { randomBytes } from 'node:crypto';
import { openHashing } from '../../subgraphs/sync/blake3/hashing.js';
import { manifestFor } from '../../tests/kit/bytes.js';
import { call } from '../../tests/kit/platform.js';
import type { SignedIn } from '../../tests/kit/wallet.js';
import type { Cleanup } from '../cleanup.js';
import { median } from '../statistics.js';
import { runConcurrently } from '../run-concurrently.js';
import { CHUNK_BYTES, send, startPlatform } from './receivers.js';

const ROUNDS = 3;
const WRITERS = 4;

/** Time of a finalize after all chunks were sent, and time of one BLAKE3 pass over the same bytes in memory. */
export interface FinalizeFigures {
  readonly chunkBytes: number;
  readonly fileBytes: number;
  readonly finalizeMs: number;
  readonly passMs: number;
  /** `passMs` divided by `finalizeMs`. */
  readonly ratio: number;
}

/** Measures chunks of 16 MiB, which are hashed on arrival, and chunks of one byte less, which must be read again. */
export async function measureFinalize(cleanup: Cleanup, fileBytes: number): Promise<FinalizeFigures[]> {
  const { user, url } = await startPlatform(cleanup);
  const figures: FinalizeFigures[] = [];
  for (const chunkBytes of [CHUNK_BYTES, CHUNK_BYTES - 1]) {
    const rounds: { finalizeMs: number; passMs: number }[] = [];
    const count = Math.floor(fileBytes / chunkBytes) || 1;
    for (let round = 0; round < ROUNDS; round++) rounds.push(await finalize({ user, url }, { chunkBytes, count }));
    const [finalizeMs, passMs] = [
      median(rounds.map((round) => round.finalizeMs)),
      median(rounds.map((round) => round.passMs)),
    ];
    figures.push({ chunkBytes, fileBytes: chunkBytes * count, finalizeMs, passMs, ratio: passMs / finalizeMs });
  }
  return figures;
}

async function finalize(
  { user, url }: { readonly user: SignedIn; readonly url: string },
  { chunkBytes, count }: { readonly chunkBytes: number; readonly count: number },
): Promise<{ finalizeMs: number; passMs: number }> {
  const chunk = randomBytes(chunkBytes);
  const passStartMs = performance.now();
  const hasher = (await openHashing()).stream();
  for (let i = 0; i < count; i++) hasher.update(chunk);
  const hash = hasher.digest();
  const passMs = performance.now() - passStartMs;
  const { token } = user;
  const layout = { chunk_count: count, chunk_size: chunkBytes, ciphertext_size: count * chunkBytes };
  const manifest = manifestFor(user, hash.toString('hex'), new Uint8Array(hash));
  const opened = await call('POST /upload/session', { token, url, body: { manifest, ...layout } });
  const session = `/upload/session/${opened.body.Success.session_id}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  await runConcurrently(WRITERS, Array(count).keys(), (i) =>
    send('PUT', `${url}${session}/chunk/${i}`, { headers, bytes: chunk }),
  );
  const startMs = performance.now();
  const { status, text } = await call(`POST ${session}/finalize`, { token, url });
  if (status !== 200) throw new Error(`finalize was refused: ${text}`);
  return { finalizeMs: performance.now() - startMs, passMs };
}
