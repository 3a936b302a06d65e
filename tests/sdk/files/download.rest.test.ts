import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Archipelago, framedSize, newMnemonic, sourceOf, walletOf } from '../../../sdk/src/index.js';
import type { DownloadTarget, Files, FolderKey, RemoteFile } from '../../../sdk/src/index.js';
import { platform } from '../../kit/platform.js';

const FRAME = 262_144;

/** What the answers of downloads were, and what is done to them. */
const watched = {
  received: 0,
  /** Bytes after which an answer is cut off. */
  cutAfter: Infinity,
  isRangeIgnored: false,
};

const watching: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  if (!request.url.includes('/download/')) return fetch(request);
  if (watched.isRangeIgnored) request.headers.delete('range');
  const answer = await fetch(request);
  let left = watched.cutAfter;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      const part = piece.subarray(0, left);
      left -= part.length;
      watched.received += part.length;
      controller.enqueue(part);
      if (left === 0) controller.error(new Error('cut off'));
    },
  });
  return new Response(answer.body?.pipeThrough(cut) ?? null, answer);
};

let files: Files;
let key: FolderKey;
beforeAll(async () => {
  const { url } = platform();
  const phrase = newMnemonic();
  const { token, substrateAddress } = await new Archipelago({ url }).signIn(walletOf(phrase));
  files = new Archipelago({ url, token, fetch: watching }).files(substrateAddress);
  key = files.key(phrase, 'downloads');
  await files.register(key);
});
beforeEach(() => {
  Object.assign(watched, { received: 0, cutAfter: Infinity, isRangeIgnored: false });
});

async function stored(relativePath: string, bytes: Uint8Array): Promise<RemoteFile> {
  const base = (await find(relativePath))?.revision;
  await files.upload({ folder: key, relativePath, plaintext: sourceOf(bytes), base });
  const file = await find(relativePath);
  if (!file) throw new Error(`${relativePath} is not listed`);
  return file;
}

async function find(relativePath: string): Promise<RemoteFile | undefined> {
  for await (const file of files.list(key.folderHash)) if (file.relativePath === relativePath) return file;
  return undefined;
}

/** A target in memory. @param before what an earlier download has left */
function targetOf(length: number, before: Uint8Array = new Uint8Array()): DownloadTarget & { bytes: Buffer } {
  const bytes = Buffer.alloc(length);
  bytes.set(before);
  return {
    bytes,
    size: before.length,
    read: async (start, end) => bytes.subarray(start, end),
    write: async (at, part) => bytes.set(part, at),
  };
}

describe('a download into a target', () => {
  it.each([0, 1, FRAME, 3 * FRAME + 5])('of %d bytes writes them, and reports its progress', async (size) => {
    const bytes = randomBytes(size);
    const target = targetOf(size);
    const seen: number[] = [];
    await files.downloadTo(key, await stored(`${size}.bin`, bytes), target, { onProgress: (done) => seen.push(done) });
    expect([target.bytes.equals(bytes), seen.at(-1)]).toEqual([true, size]);
    expect(watched.received).toBe(framedSize(size));
  });

  it('goes on after the whole frames that are there', async () => {
    const bytes = randomBytes(4 * FRAME + 5);
    const target = targetOf(bytes.length, bytes.subarray(0, 3 * FRAME + 7));
    await files.downloadTo(key, await stored('resumed.bin', bytes), target);
    expect(target.bytes.equals(bytes)).toBe(true);
    expect(watched.received).toBe(28 + 20 + FRAME + 20 + 5);
  });

  it('asks for nothing when all frames are there', async () => {
    const bytes = randomBytes(2 * FRAME);
    await files.downloadTo(key, await stored('complete.bin', bytes), targetOf(bytes.length, bytes));
    expect(watched.received).toBe(0);
  });

  it('goes on where it was cut off, as often as it comes further', async () => {
    const bytes = randomBytes(8 * FRAME);
    const file = await stored('cut.bin', bytes);
    watched.cutAfter = 1.5 * FRAME;
    const target = targetOf(bytes.length);
    await files.downloadTo(key, file, target);
    expect(target.bytes.equals(bytes)).toBe(true);
  });

  it('is given up when it comes no further', async () => {
    const file = await stored('stuck.bin', randomBytes(2 * FRAME));
    watched.cutAfter = FRAME / 2;
    await expect(files.downloadTo(key, file, targetOf(2 * FRAME))).rejects.toMatchObject({ code: 'NETWORK' });
  });

  it('begins anew when the part from before is of other bytes', async () => {
    const bytes = randomBytes(2 * FRAME + 5);
    const target = targetOf(bytes.length, randomBytes(FRAME));
    await files.downloadTo(key, await stored('tampered.bin', bytes), target);
    expect(target.bytes.equals(bytes)).toBe(true);
  });

  it('begins anew when a proxy ignores the range', async () => {
    const bytes = randomBytes(2 * FRAME);
    const file = await stored('whole.bin', bytes);
    watched.isRangeIgnored = true;
    const target = targetOf(bytes.length, bytes.subarray(0, FRAME));
    await files.downloadTo(key, file, target);
    expect(target.bytes.equals(bytes)).toBe(true);
  });

  it.each([0, FRAME])('is refused after %d bytes when the file has another revision', async (kept) => {
    const bytes = randomBytes(2 * FRAME);
    const path = `replaced-${kept}.bin`;
    const old = await stored(path, bytes);
    await stored(path, randomBytes(2 * FRAME));
    const target = targetOf(bytes.length, bytes.subarray(0, kept));
    const refused = { status: 409, code: 'replaced' };
    await expect(files.downloadTo(key, old, target)).rejects.toMatchObject(refused);
    expect(target.bytes.subarray(kept).every((byte) => byte === 0)).toBe(true);
  });

  it('is refused when the bytes do not have the hash that is listed', async () => {
    const file = await stored('other.bin', randomBytes(5));
    const other = { ...file, saltedHash: new Uint8Array(32) };
    await expect(files.downloadTo(key, other, targetOf(5))).rejects.toThrow('other bytes than the folder lists');
  });

  it('stops at the signal', async () => {
    const file = await stored('stopped.bin', randomBytes(4 * FRAME));
    const stop = new AbortController();
    const stopped = files.downloadTo(key, file, targetOf(4 * FRAME), {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(stopped).rejects.toThrow('enough');
  });
});
