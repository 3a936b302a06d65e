import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { framedSize, newMnemonic } from '../../sdk/src/index.js';
import { signedInCommandLine } from '../kit/command-line.js';
import { platform } from '../kit/platform.js';
import { toEnd } from '../kit/run.js';
import { until } from '../kit/watch.js';

const MIB = 1024 * 1024;

/**
 * Passes requests to the platform, and counts the chunks that it takes. While it is closed it passes chunk 0 only, as
 * often as the client sends it, and holds the others. A connection serves one request: none is reused after its server closed it.
 */
const proxy = {
  taken: 0,
  isOpen: true,
  reached: () => {},
  /** Whether downloads get their headers and nothing more. */
  isHoldingDownloads: false,
  /** When downloads but the first, which is held, are answered with 403; undefined: they are not. */
  refusal: undefined as Promise<void> | undefined,
  held: 0,
  /** Runs before a session of an upload is opened. */
  opening: async () => {},
  server: createServer((request, response) => {
    const isOpening = request.url?.endsWith('/upload/session') === true;
    void (isOpening ? proxy.opening() : Promise.resolve()).then(() => pass(request, response));
  }),
};

function pass(request: IncomingMessage, response: ServerResponse): void {
  const chunk = request.method === 'PUT' ? /\/chunk\/(\d+)$/.exec(request.url ?? '')?.[1] : undefined;
  if (!proxy.isOpen && chunk !== undefined && chunk !== '0') return;
  const { hostname, port } = new URL(platform().url);
  const { method, url: path = '', headers } = request;
  const isDownload = path.includes('/download/');
  const passed = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
    if (response.destroyed) return answer.destroy();
    if (isDownload && proxy.refusal) return refuseAllButOne(answer, response, proxy.refusal);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (isDownload && proxy.isHoldingDownloads) return response.flushHeaders();
    // A chunk that is refused before it is read can end the connection within the answer.
    pipeline(answer, response, () => {});
    if (chunk === undefined || answer.statusCode !== 200) return; // a busy platform refuses a chunk, which comes again
    proxy.taken++;
    answer.once('end', () => proxy.reached());
  });
  passed.once('error', () => response.destroy());
  request.pipe(passed);
}

function refuseAllButOne(answer: IncomingMessage, response: ServerResponse, refusal: Promise<void>): void {
  if (proxy.held++ === 0) response.writeHead(200, answer.headers).flushHeaders();
  else void refusal.then(() => response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"no"}'));
  answer.resume();
}

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
let source: string;
beforeAll(async () => {
  proxy.server.listen(0, '127.0.0.1');
  await once(proxy.server, 'listening');
  const { port } = proxy.server.address() as AddressInfo;
  line = await signedInCommandLine({ ARCHIPELAGO_URL: `http://127.0.0.1:${port}` });
  source = join(line.folder, 'source');
  await mkdir(join(source, 'deep/er'), { recursive: true });
  await writeFile(join(source, 'a.txt'), 'one');
  await writeFile(join(source, 'deep/er/b.bin'), randomBytes(300_000));
});
afterAll(async () => {
  proxy.server.close();
  proxy.server.closeAllConnections();
  await line.close();
});

/** Runs `files` in a folder with the key of the wallet. */
const files = (verb: string, ...words: readonly string[]) =>
  line.json('files', verb, ...words, '--wallet', line.wallet);
const pathsIn = async (): Promise<string[]> =>
  (await files('ls', 'documents')).map(({ relativePath }: { relativePath: string }) => relativePath).toSorted();
const read = (...parts: readonly string[]) => readFile(join(line.folder, ...parts));

describe('files on the command line', () => {
  it('are pushed and pulled, byte for byte, listed, renamed, deleted and found', async () => {
    expect(await files('push', 'documents', source)).toEqual({ uploaded: ['a.txt', 'deep/er/b.bin'] });
    expect(await files('push', 'documents', source)).toEqual({ uploaded: [] });
    expect(await pathsIn()).toEqual(['a.txt', 'deep/er/b.bin']);
    await files('pull', 'documents', '', join(line.folder, 'all'));
    for (const name of ['a.txt', 'deep/er/b.bin'])
      expect((await read('all', name)).equals(await read('source', name))).toBe(true);
    await files('mv', 'documents', 'a.txt', 'c.txt');
    await files('pull', 'documents', 'c.txt', join(line.folder, 'one'));
    expect((await read('one')).toString()).toBe('one');
    await files('pull', 'documents', 'c.txt', join(line.folder, 'all'));
    expect((await read('all/c.txt')).toString()).toBe('one');
    expect(await line.json('files', 'search', 'c.txt')).toMatchObject([{ relativePath: 'c.txt' }]);
    await files('rm', 'documents', 'c.txt', '--yes');
    expect(await pathsIn()).toEqual(['deep/er/b.bin']);
    expect(await line.json('files', 'folders')).toMatchObject([{ label: 'documents', fileCount: 1 }]);
  });

  it('are synchronized: what is new or changed goes up, what is gone goes with --delete', async () => {
    const synced = join(line.folder, 'synced');
    await mkdir(synced);
    await writeFile(join(synced, 'new.txt'), 'new');
    const sync = ['files', 'sync', 'documents', synced, '--delete', '--wallet', line.wallet];
    expect(await line.run(...sync)).toEqual({
      code: 2,
      stdout: 'uploaded 1 of 1\n- deep/er/b.bin\n',
      stderr: 'Nothing was deleted. Give --yes where there is no terminal to ask on.\n',
    });
    expect(await pathsIn()).toEqual(['deep/er/b.bin', 'new.txt']);
    expect((await line.run(...sync, '--yes')).stdout).toBe('uploaded 0 of 1\n- deep/er/b.bin\ndeleted 1\n');
    await writeFile(join(synced, 'new.txt'), 'newer');
    await files('sync', 'documents', synced);
    await files('pull', 'documents', 'new.txt', join(line.folder, 'again'));
    expect((await read('again')).toString()).toBe('newer');
  });

  it('are resumed after kill -9: chunks that arrived are not sent again', async () => {
    const large = join(line.folder, 'large.bin');
    const bytes = randomBytes(20 * MIB);
    await writeFile(large, bytes);
    proxy.isOpen = false;
    const reached = new Promise<void>((resolve) => {
      proxy.reached = resolve;
    });
    const killed = line.start('files', 'push', 'documents', large, '--wallet', line.wallet);
    const ended = toEnd(killed);
    const first = await Promise.race([reached.then(() => 'chunk 0 is taken'), ended]);
    expect(first).toBe('chunk 0 is taken');
    killed.kill('SIGKILL');
    await ended;
    proxy.isOpen = true;
    expect(await files('push', 'documents', large)).toEqual({ uploaded: ['large.bin'] });
    expect(proxy.taken).toBe(Math.ceil(framedSize(bytes.length) / (8 * MIB)));
    await files('pull', 'documents', 'large.bin', join(line.folder, 'back'));
    expect((await read('back')).equals(bytes)).toBe(true);
    expect(await readdir(line.folder)).not.toContain('back.part');
  });

  it('are not synced where a killed download has left a part of one', async () => {
    const target = join(line.folder, 'target');
    await mkdir(target);
    proxy.isHoldingDownloads = true;
    const killed = line.start('files', 'pull', 'documents', '', target, '--wallet', line.wallet);
    const ended = toEnd(killed);
    await until(async () => (await readdir(target)).some((name) => name.endsWith('.part')));
    killed.kill('SIGKILL');
    await ended;
    proxy.isHoldingDownloads = false;
    await writeFile(join(target, 'own.txt'), 'own');
    const { code, stdout, stderr } = await line.run('files', 'sync', 'killed', target, '--wallet', line.wallet);
    expect([code, stdout]).toEqual([0, 'uploaded 1 of 1\n']);
    expect(stderr).toMatch(/^\S+\.part: skipped, it is part of a download\. Remove it if no download is running\.$/m);
  });

  it('leave no part behind when the platform refuses one of several that are pulled', async () => {
    const target = join(line.folder, 'refused');
    await mkdir(target);
    const hasPart = async () => (await readdir(target, { recursive: true })).some((name) => name.endsWith('.part'));
    proxy.refusal = until(hasPart);
    const { code, stderr } = await line.run('files', 'pull', 'documents', '', target, '--wallet', line.wallet);
    proxy.refusal = undefined;
    expect([proxy.held, code, stderr]).toEqual([2, 1, expect.stringContaining('no')]);
    expect(await hasPart()).toBe(false);
  });

  it('are refused when they change while they are read, and uploaded as they are then', async () => {
    const directory = join(line.folder, 'changing');
    await mkdir(directory);
    await writeFile(join(directory, 'large.bin'), Buffer.alloc(9 * MIB));
    await writeFile(join(directory, 'small.txt'), 'small');
    proxy.opening = () => writeFile(join(directory, 'large.bin'), Buffer.alloc(9 * MIB, 1));
    expect(await line.run('files', 'sync', 'changing', directory, '--wallet', line.wallet)).toEqual({
      code: 1,
      stdout: 'uploaded 1 of 2\n',
      stderr: 'large.bin: The file changed while it was read.\nNot uploaded: 1 of 2.\n',
    });
    proxy.opening = async () => {};
    expect(await files('sync', 'changing', directory)).toEqual({ uploaded: ['large.bin'] });
  });

  it('cannot be pulled with another phrase, which is said', async () => {
    const other = join(line.folder, 'other-wallet');
    await writeFile(other, newMnemonic());
    const target = join(line.folder, 'unread');
    await mkdir(target);
    const { code, stderr } = await line.run('files', 'pull', 'documents', 'new.txt', target, '--wallet', other);
    expect([code, stderr]).toEqual([
      1,
      'Cannot decrypt the file: wrong key or recovery phrase, or the file was altered.\n',
    ]);
    expect(await readdir(target)).toEqual([]);
  });

  it('need the folder, the file and the wallet to be there', async () => {
    const statuses = await Promise.all([
      line.run('files', 'pull', 'documents', 'none.txt', '.', '--wallet', line.wallet),
      line.run('files', 'push', 'documents', join(line.folder, 'none'), '--wallet', line.wallet),
      line.run('files', 'ls', 'documents', '--wallet', join(line.folder, 'none')),
      line.run('files', 'ls', 'none', '--wallet', line.wallet),
    ]);
    expect(statuses.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(statuses.at(-1)).toMatchObject({ stdout: '', stderr: 'There is no folder "none".\n' });
  });
});
