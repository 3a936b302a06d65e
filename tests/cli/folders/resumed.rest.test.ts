import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { framedSize } from '../../../sdk/src/index.js';
import { signedInCommandLine } from '../../kit/command-line.js';
import { platform } from '../../kit/platform.js';
import { toEnd } from '../../kit/run.js';
import { until } from '../../kit/watch.js';

const MIB = 1024 * 1024;

/** Passes requests to the platform; counts the bytes of downloads, and holds each after `limit` bytes. */
const proxy = {
  sent: 0,
  limit: Infinity,
  /** Runs before a download. */
  before: async () => {},
  server: createServer((request, response) => {
    const isDownload = request.url?.includes('/download/') === true;
    void (isDownload ? proxy.before() : Promise.resolve()).then(() => pass(request, response, isDownload));
  }),
};

function pass(request: IncomingMessage, response: ServerResponse, isDownload: boolean): void {
  const { hostname, port } = new URL(platform().url);
  const { method, url: path = '', headers } = request;
  const passed = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    let left = isDownload ? proxy.limit : Infinity;
    answer.on('data', (piece: Buffer) => {
      const part = piece.subarray(0, left);
      left -= part.length;
      if (isDownload) proxy.sent += part.length;
      response.write(part);
    });
    answer.once('end', () => left > 0 && response.end());
  });
  passed.once('error', () => response.destroy());
  request.pipe(passed);
}

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
beforeAll(async () => {
  proxy.server.listen(0, '127.0.0.1');
  await once(proxy.server, 'listening');
  const { port } = proxy.server.address() as AddressInfo;
  line = await signedInCommandLine({ ARCHIPELAGO_URL: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  proxy.server.close();
  proxy.server.closeAllConnections();
  await line.close();
});
beforeEach(() => {
  proxy.sent = 0;
});

/** Runs `files` in a folder with the key of the wallet. */
const files = (verb: string, ...words: readonly string[]) =>
  line.json('files', verb, ...words, '--wallet', line.wallet);
const isPart = (name: string) => name.endsWith('.part');

async function push(folder: string, bytes: Buffer): Promise<void> {
  await writeFile(join(line.folder, 'large.bin'), bytes);
  await files('push', folder, join(line.folder, 'large.bin'));
}

/** Pulls a folder with a large file, and kills that within it. Returns the target and the part that is left. */
async function killedPull(folder: string, bytes: Buffer): Promise<{ target: string; part: string }> {
  const target = join(line.folder, `target of ${folder}`);
  await mkdir(target);
  await push(folder, bytes);
  proxy.limit = 3 * MIB;
  const killed = line.start('files', 'pull', folder, '/', target, '--wallet', line.wallet);
  const ended = toEnd(killed);
  const partSize = async () => {
    const [name] = (await readdir(target)).filter(isPart);
    return name === undefined ? 0 : (await stat(join(target, name))).size;
  };
  await until(async () => proxy.sent === 3 * MIB && (await partSize()) > 2 * MIB);
  killed.kill('SIGKILL');
  await ended;
  proxy.limit = Infinity;
  proxy.sent = 0;
  const [part = ''] = (await readdir(target)).filter(isPart);
  return { target, part: join(target, part) };
}

describe('a pull that was killed', () => {
  it('goes on after the part that it has left', async () => {
    const bytes = randomBytes(6 * MIB);
    const { target } = await killedPull('killed', bytes);
    expect(await files('pull', 'killed', '/', target)).toEqual({ downloaded: [join(target, 'large.bin')] });
    expect((await readFile(join(target, 'large.bin'))).equals(bytes)).toBe(true);
    expect(await readdir(target)).toEqual(['large.bin']);
    expect(proxy.sent).toBeLessThan(framedSize(bytes.length) - 2 * MIB);
  });

  it('begins anew when the file was replaced meanwhile, and removes the part of the old one', async () => {
    const { target } = await killedPull('replaced', randomBytes(6 * MIB));
    const bytes = randomBytes(5 * MIB);
    await push('replaced', bytes);
    await files('pull', 'replaced', '/', target);
    expect((await readFile(join(target, 'large.bin'))).equals(bytes)).toBe(true);
    expect(await readdir(target)).toEqual(['large.bin']);
    expect(proxy.sent).toBe(framedSize(bytes.length));
  });

  it.each([
    ['other bytes', (part: Buffer) => Buffer.concat([randomBytes(10), part.subarray(10)])],
    ['more bytes than the file', () => randomBytes(7 * MIB)],
  ])('begins anew when the part has %s', async (name, tampered) => {
    const bytes = randomBytes(6 * MIB);
    const { target, part } = await killedPull(name, bytes);
    await writeFile(part, tampered(await readFile(part)));
    await files('pull', name, '/', target);
    expect((await readFile(join(target, 'large.bin'))).equals(bytes)).toBe(true);
    expect(await readdir(target)).toEqual(['large.bin']);
  });
});

describe('a pull of a file that is replaced after it was listed', () => {
  it('fetches the new one', async () => {
    await push('changing', randomBytes(1000));
    const bytes = randomBytes(2000);
    proxy.before = async () => {
      proxy.before = async () => {};
      await push('changing', bytes);
    };
    const target = join(line.folder, 'changing');
    await files('pull', 'changing', '/', target);
    expect((await readFile(join(target, 'large.bin'))).equals(bytes)).toBe(true);
    expect(await readdir(target)).toEqual(['large.bin']);
  });
});

describe('a pull that is interrupted', () => {
  it('leaves its part, with which the next goes on', async () => {
    const bytes = randomBytes(6 * MIB);
    const target = join(line.folder, 'interrupted');
    await mkdir(target);
    await push('interrupted', bytes);
    proxy.limit = 3 * MIB;
    const child = line.start('files', 'pull', 'interrupted', '/', target, '--wallet', line.wallet);
    const ended = toEnd(child);
    await until(async () => proxy.sent === 3 * MIB);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect((await readdir(target)).map(isPart)).toEqual([true]);
    proxy.limit = Infinity;
    await files('pull', 'interrupted', '/', target);
    expect((await readFile(join(target, 'large.bin'))).equals(bytes)).toBe(true);
  });
});

describe('a pull that is repeated', () => {
  it('fetches what is not the same only, also when both have the same size', async () => {
    const source = join(line.folder, 'source');
    const target = join(line.folder, 'repeated');
    await mkdir(source);
    await writeFile(join(source, 'a'), 'one');
    await writeFile(join(source, 'b'), 'two');
    await files('push', 'repeated', source);
    await files('pull', 'repeated', '/', target);
    await utimes(join(target, 'a'), 1, 1);
    await writeFile(join(target, 'b'), 'own');
    proxy.sent = 0;
    expect(await files('pull', 'repeated', '/', target)).toEqual({ downloaded: [join(target, 'b')] });
    expect(proxy.sent).toBe(framedSize(3));
    expect(await readFile(join(target, 'b'), 'utf8')).toBe('two');
    expect((await stat(join(target, 'a'))).mtimeMs).toBe(1000);
  });

  it('of the same file by two commands at once gives the file to both', async () => {
    const bytes = randomBytes(6 * MIB);
    const target = join(line.folder, 'both');
    await mkdir(target);
    await push('both', bytes);
    await Promise.all([files('pull', 'both', '/', target), files('pull', 'both', '/', target)]);
    expect((await readFile(join(target, 'large.bin'))).equals(bytes)).toBe(true);
    expect(await readdir(target)).toEqual(['large.bin']);
  });
});
