import { randomBytes } from 'node:crypto';
import { openHashing } from '../../subgraphs/sync/blake3/hashing.js';
import { manifestFor } from '../../tests/kit/files/bytes.js';
import { call } from '../../tests/kit/platform.js';
import type { SignedIn } from '../../tests/kit/accounts/wallet.js';
import type { Cleanup } from '../cleanup.js';
import type { Row } from '../report.js';
import type { Scale } from '../scale.js';
import { median } from '../statistics.js';
import { runConcurrently } from '../run-concurrently.js';
import { CHUNK_BYTES, send, startPlatform } from './receivers.js';

const WRITERS = 4;

/**
 * Measures a finalize after all chunks were sent beside one native BLAKE3 pass over the same bytes in memory. Chunks of 16 MiB are
 * hashed on arrival; chunks of one byte less must be read again.
 */
export async function measureFinalize(cleanup: Cleanup, { rounds, fileBytes }: Scale): Promise<Row[]> {
  const { user, url } = await startPlatform(cleanup);
  const rows: Row[] = [];
  for (const chunkBytes of [CHUNK_BYTES, CHUNK_BYTES - 1]) {
    const count = Math.floor(fileBytes / chunkBytes) || 1;
    const times = [];
    for (let round = 0; round < rounds; round++) times.push(await finalize({ user, url }, { chunkBytes, count }));
    rows.push({
      work: `finalize ${((count * chunkBytes) / 2 ** 20).toFixed(0)} MiB in chunks of ${chunkBytes} bytes`,
      peer: 'native BLAKE3 in memory',
      unit: 'wall ms',
      ours: median(times.map(({ finalizeMs }) => finalizeMs)),
      theirs: median(times.map(({ passMs }) => passMs)),
      goal: chunkBytes === CHUNK_BYTES ? '5' : '1 ×',
    });
  }
  return rows;
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
