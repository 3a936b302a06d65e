import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../../../gateway/app.js';
import { sendContinue } from '../../../gateway/http/bodies.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { ADMIN_TOKEN, type RunningPlatform } from '../../kit/arrangements.js';
import { begin, downloadPath, FORM_TYPE, manifestFor, openChunks, replyTo, send } from '../../kit/files/bytes.js';
import { startOnDatabase, startOnDatabases } from '../../kit/database/own-database.js';
import type { Json } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const MIB = 1024 * 1024;

/** Files here are made of this, again and again. */
const PIECE = randomBytes(MIB);

const hashes = new Map<number, ReturnType<typeof blake3>>();

/** A manifest for a file of so many of it. */
function manifestOf(user: SignedIn, path: string, mebibytes: number): Json {
  const hash = hashes.get(mebibytes) ?? hashOf(mebibytes);
  hashes.set(mebibytes, hash);
  return manifestFor(user, path, hash);
}

function hashOf(mebibytes: number): ReturnType<typeof blake3> {
  const hash = blake3.create({});
  for (let piece = 0; piece < mebibytes; piece++) hash.update(PIECE);
  return hash.digest();
}

/** Waits until it is so; the test's own limit ends a wait in vain. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(50);
}

describe('a body whose time is up', () => {
  const times = { wholeMs: 400, idleMs: 400, leastBytesPerSecond: 4 };
  let app: FastifyInstance;
  let port: number;
  beforeAll(async () => {
    app = await createApp(openLog('silent', 'test'), undefined, { bodyTimes: times });
    app.post('/whole', () => 'ok');
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
      scope.put('/streamed', { config: { isStreamed: true } }, async ({ raw }) => {
        let count = 0;
        for await (const piece of raw) count += (piece as Buffer).length;
        return `${count}`;
      });
      scope.put('/waiting', { config: { isStreamed: true } }, async (message, reply) => {
        await delay(3 * times.idleMs);
        sendContinue(message, reply);
        return buffer(message.raw);
      });
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.server.address() as { port: number }).port;
  });
  afterAll(() => app.close());

  /** Sends a head and the pieces, each after 150 ms; all that is answered until the connection is closed. */
  async function talk(head: string, pieces: readonly string[]): Promise<string> {
    const socket: Socket = connect(port, '127.0.0.1').setEncoding('utf8');
    let heard = '';
    socket.on('data', (text: string) => (heard += text)).on('error', () => undefined);
    socket.write(`${head}\r\nhost: x\r\ncontent-length: 12\r\n\r\n`);
    const ended = once(socket, 'end');
    for (const piece of pieces) {
      await delay(150);
      if (!socket.writable) break;
      if (piece !== '') socket.write(piece);
    }
    await ended;
    socket.destroy();
    return heard;
  }

  it('is refused with 408, and the connection closed, when it comes too slowly to be read whole', async () => {
    const heard = await talk('POST /whole HTTP/1.1', ['1', '2', '3', '4', '5', '6']);
    expect(heard).toMatch(/^HTTP\/1.1 408 [^]*connection: close[^]*{"error":"The body /i);
  });

  it('is refused with 408, and the connection closed, when it is streamed and rests too long', async () => {
    const heard = await talk('PUT /streamed HTTP/1.1', ['123']);
    expect(heard).toMatch(/^HTTP\/1.1 408 [^]*connection: close[^]*{"error":"The body /i);
  });

  it('is refused with 408 when it is streamed without resting, but a byte now and then', async () => {
    const slow = [...'123456789012'].flatMap((byte) => [byte, '', '']);
    const heard = await talk('PUT /streamed HTTP/1.1', slow);
    expect(heard).toMatch(/^HTTP\/1.1 408 [^]*connection: close[^]*{"error":"The body /i);
  });

  it('is taken when it is streamed slowly without resting', async () => {
    const heard = talk('PUT /streamed HTTP/1.1\r\nconnection: close', [...'123456789012']);
    expect(await heard).toMatch(/^HTTP\/1.1 200 [^]*12$/);
  });

  it('is taken when its client waits long until the server begins to read', async () => {
    const sending = request({ port, path: '/waiting', method: 'PUT', headers: { expect: '100-continue' } });
    sending.once('continue', () => sending.end('bytes')).flushHeaders();
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    expect([response.statusCode, await buffer(response)]).toEqual([200, Buffer.from('bytes')]);
  });
});

let platforms: Record<'in process' | 'behind HTTP', RunningPlatform>;
beforeAll(async () => {
  platforms = { 'in process': await startOnDatabase(), 'behind HTTP': await startOnDatabases() };
}, 120_000);
afterAll(async () => {
  for (const platform of Object.values(platforms)) await platform.stop();
}, 60_000);

describe.each(['in process', 'behind HTTP'] as const)('%s', (arrangement) => {
  let platform: RunningPlatform;
  let user: SignedIn;
  let url: string;
  beforeAll(async () => {
    platform = platforms[arrangement];
    ({ url } = platform);
    user = await signIn(undefined, url);
  });
  const filesBelow = async () =>
    (await readdir(platform.dataDir, { recursive: true })).filter((name) => name.includes('blobs'));
  const residentBytes = async () => {
    const sizes = platform.processes.map(
      async ({ child }) => /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1],
    );
    return Math.max(...(await Promise.all(sizes)).map(Number)) * 1024;
  };

  it('nothing stays of a body that its client breaks off', async () => {
    const before = (await filesBelow()).length;
    const chunks = await openChunks(user, { url });
    const begun = begin(`PUT ${chunks}/0`, { token: user.token, url, headers: { 'content-length': 16 * MIB } });
    begun.write(randomBytes(MIB));
    await until(async () => (await filesBelow()).length > before);
    begun.destroy();
    await until(async () => (await filesBelow()).length <= Math.max(before, 1));
  });

  it('a download that its client breaks off is closed', async () => {
    const manifest = manifestOf(user, 'a large file', 32);
    expect((await uploadForm(32, JSON.stringify(manifest))).status).toBe(200);
    const begun = begin(`GET ${downloadPath(manifest)}`, { token: user.token, url });
    begun.end();
    const [response] = (await once(begun, 'response')) as [NodeJS.ReadableStream];
    await once(response, 'readable');
    begun.destroy();
    await until(async () => (await openFiles()).every((name) => !name.includes('blobs')));
  });
  const openFiles = async () => {
    const lists = platform.processes.map(async ({ child }) => {
      const { readlink } = await import('node:fs/promises');
      const names = await readdir(`/proc/${child.pid}/fd`);
      return Promise.all(names.map((name) => readlink(join(`/proc/${child.pid}/fd`, name)).catch(() => '')));
    });
    return (await Promise.all(lists)).flat();
  };

  async function uploadForm(mebibytes: number, manifest: string) {
    const headers = { 'content-type': FORM_TYPE, 'transfer-encoding': 'chunked' };
    const begun = begin('POST /upload', { token: user.token, url, headers });
    const reply = replyTo(begun);
    begun.write(`--the-boundary\r\nContent-Disposition: form-data; name="manifest"\r\n\r\n${manifest}\r\n`);
    begun.write('--the-boundary\r\nContent-Disposition: form-data; name="ciphertext"; filename="c"\r\n\r\n');
    for (let sent = 0; sent < mebibytes; sent++) if (!begun.write(PIECE)) await once(begun, 'drain');
    begun.end('\r\n--the-boundary--\r\n');
    return reply;
  }

  it('memory does not grow with what is uploaded and downloaded at once', async () => {
    const download = (manifest: Json) => send(`GET ${downloadPath(manifest)}`, undefined, { token: user.token, url });
    // The first upload and the first download load their code, and the heap takes its working size.
    const first = manifestOf(user, 'first', 64);
    await uploadForm(64, JSON.stringify(first));
    await download(first);
    const before = await residentBytes();
    const manifests = ['a', 'b', 'c', 'd'].map((name) => manifestOf(user, name, 64));
    const replies = await Promise.all(manifests.map((manifest) => uploadForm(64, JSON.stringify(manifest))));
    const downloads = await Promise.all(manifests.map(download));
    const grown = (await residentBytes()) - before;
    expect({
      uploads: replies.map(({ status }) => status),
      downloads: downloads.map(({ bytes }) => bytes.length),
      isBounded: grown < 100 * MIB || grown,
    }).toEqual({ uploads: [200, 200, 200, 200], downloads: Array(4).fill(64 * MIB), isBounded: true });
  }, 120_000);

  it('a streamed body that rests for 30 s is refused with 408', async () => {
    const chunks = await openChunks(user, { url });
    const begun = begin(`PUT ${chunks}/0`, { token: user.token, url, headers: { 'content-length': 16 * MIB } });
    begun.write(randomBytes(MIB));
    const { status, body } = await replyTo(begun);
    expect([status, body.Error.error]).toEqual([408, 'request_timeout']);
  }, 60_000);

  it('a refusal is read by a client that goes on sending', async () => {
    const headers = { 'content-length': 64 * MIB };
    const begun = begin('PUT /upload/session/x/chunk/0', { token: ADMIN_TOKEN, url, headers });
    const reply = replyTo(begun);
    for (let sent = 0; sent < 8; sent++) begun.write(randomBytes(MIB));
    expect((await reply).status).toBe(404);
    begun.destroy();
  });
});
