import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startS3 } from './s3.js';

/**
 * How a store treats requests for objects. `silent` reads and answers nothing; `deaf` reads all and never answers; `cut` breaks the
 * connection in the middle of a body, whichever way it goes; `stuck` stops in the middle of a body; `unconditional` knows no
 * If-None-Match; `cut late` breaks off what is read after a MiB; `slow` answers each request after a while; a number is the status of every answer.
 */
export type Mood =
  'well' | 403 | 500 | 503 | 'silent' | 'deaf' | 'cut' | 'cut late' | 'stuck' | 'unconditional' | 'slow';

/** A store whose moods a test sets. */
export interface HostileStore {
  /** For BLOB_URL. */
  readonly url: string;
  mood: Mood;
  /** Requests that had another answer than the store's own. */
  readonly mistreated: number;
  /** Reads of chunks that were under way together at most, while it was slow. */
  readonly mostAtOnce: number;
  close(): Promise<void>;
}

/** Bytes of a body after which it is cut or gets stuck. */
const HALFWAY = 1000;
const LATE = 1024 * 1024;

/** Milliseconds that a slow store takes before it does anything. */
const SLOW_MS = 20;

/** Starts an S3-compatible store behind a server that can keep its requests from it, or its answers from who asked. */
export async function startHostileStore(mood: Mood = 'well'): Promise<HostileStore> {
  const s3 = await startS3();
  const target = s3.config.endpoint ?? '';
  const store = { mood, mistreated: 0, mostAtOnce: 0 };
  let atOnce = 0;
  const server = createServer((asked, answer) => {
    asked.on('error', ignore);
    answer.on('error', ignore);
    const isMistreated =
      store.mood === 'unconditional' ? asked.headers['if-none-match'] !== undefined : store.mood !== 'well';
    if (!isMistreated) return forward(target, asked, answer);
    store.mistreated += 1;
    if (store.mood === 'slow') {
      // Chunks are read by range; the id of the store and its health are not.
      if (asked.headers.range !== undefined) {
        atOnce += 1;
        store.mostAtOnce = Math.max(store.mostAtOnce, atOnce);
        answer.once('close', () => (atOnce -= 1));
      }
      return void setTimeout(() => forward(target, asked, answer), SLOW_MS);
    }
    if (store.mood === 'cut late') return forward(target, asked, answer, cutLate(answer));
    mistreat(target, store.mood, asked, answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(store, {
    url: `s3://blobs/files?endpoint=http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await s3.close();
    },
  });
}

function mistreat(target: string, mood: Mood, asked: IncomingMessage, answer: ServerResponse): void {
  if (mood === 'silent') return;
  if (mood === 'deaf') return void asked.resume();
  if (mood === 'cut' || mood === 'stuck') return halfway(target, mood, asked, answer);
  const status = mood === 'unconditional' ? 501 : Number(mood);
  const code = { 403: 'AccessDenied', 500: 'InternalError', 501: 'NotImplemented', 503: 'SlowDown' }[status];
  asked.resume();
  asked.once('end', () => {
    answer.writeHead(status, { 'content-type': 'application/xml' });
    answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>not now</Message></Error>`);
  });
}

/** Of what is written the store gets nothing; of what is read, and of answers without a body, who asked gets a part. */
function halfway(target: string, mood: 'cut' | 'stuck', asked: IncomingMessage, answer: ServerResponse): void {
  if (asked.method !== 'GET') {
    let taken = 0;
    asked.on('data', (bytes: Buffer) => {
      taken += bytes.length;
      if (mood === 'stuck') asked.pause();
      else if (taken >= HALFWAY) asked.destroy();
    });
    if (asked.method === 'DELETE' && mood === 'cut') asked.destroy();
    return;
  }
  forward(target, asked, answer, (reply) => {
    reply.once('data', (bytes: Buffer) => {
      reply.destroy();
      // Never all of it: who has all of an answer sends the next request behind it.
      answer.write(bytes.subarray(0, Math.min(HALFWAY, bytes.length - 1)), () => mood === 'cut' && answer.destroy());
    });
  });
}

/** Passes on the beginning of an answer. */
function cutLate(answer: ServerResponse): (reply: IncomingMessage) => void {
  let passed = 0;
  return (reply) => {
    reply.on('data', (bytes: Buffer) => {
      passed += bytes.length;
      if (passed < LATE) answer.write(bytes);
      else answer.destroy();
    });
  };
}

/** Hands the request on, and the answer back: whole, or as much of it as somebody lets through. */
function forward(
  target: string,
  asked: IncomingMessage,
  answer: ServerResponse,
  handle?: (reply: IncomingMessage) => void,
): void {
  const { method, headers, url = '/' } = asked;
  const onward = request(new URL(url, target), { method, headers, agent: false });
  onward.on('error', () => answer.destroy());
  onward.on('response', (reply: IncomingMessage) => {
    reply.on('error', () => answer.destroy());
    answer.writeHead(reply.statusCode ?? 500, reply.headers);
    if (handle) handle(reply);
    else reply.pipe(answer);
  });
  asked.pipe(onward);
}

function ignore(): void {}
