import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startS3 } from './s3.js';

/**
 * How a store handles object requests. `silent` neither reads nor responds; `deaf` reads everything and never responds; `cut`
 * breaks the connection in the middle of a request or response body; `stuck` stops in the middle of a body; `unconditional`
 * ignores If-None-Match; `keeping` does not respond to deletions; `cut late` breaks a response after one MiB; `slow` delays each
 * response; a number is the status of every response; `busy once` is 503 for one write, and `well` then; `closed once` closes
 * the connection of one write at its start, `forgetful once` after the store has done it.
 */
export type Mood =
  | 'well'
  | 403
  | 500
  | 503
  | Once
  | 'silent'
  | 'deaf'
  | 'cut'
  | 'cut late'
  | 'stuck'
  | 'unconditional'
  | 'keeping'
  | 'slow';

type Once = 'busy once' | 'closed once' | 'forgetful once';
const ONCE: readonly Mood[] = ['busy once', 'closed once', 'forgetful once'] satisfies Once[];

/** A store with faults that a test controls. */
export interface HostileStore {
  /** For BLOB_URL. */
  readonly url: string;
  mood: Mood;
  /** Number of requests with a fault. */
  readonly mistreated: number;
  /** Highest number of concurrent chunk reads while it was slow. */
  readonly peakConcurrent: number;
  close(): Promise<void>;
}

/** A body is cut or stops after this many bytes. */
const HALFWAY = 1000;
const LATE = 1024 * 1024;

/** Delay of a slow store in milliseconds. */
const SLOW_MS = 20;

/** Starts an S3-compatible store behind a proxy that can drop requests or responses. */
export async function startHostileStore(mood: Mood = 'well'): Promise<HostileStore> {
  const s3 = await startS3();
  const target = s3.config.endpoint ?? '';
  const store = { mood, mistreated: 0, peakConcurrent: 0 };
  let atOnce = 0;
  const server = createServer((incoming, answer) => {
    incoming.on('error', ignore);
    answer.on('error', ignore);
    if (!isMistreated(store.mood, incoming)) return forward(target, incoming, answer);
    store.mistreated += 1;
    if (store.mood === 'slow') {
      // Only chunks are read by range, not the store id and the health check.
      if (incoming.headers.range !== undefined) {
        atOnce += 1;
        store.peakConcurrent = Math.max(store.peakConcurrent, atOnce);
        answer.once('close', () => (atOnce -= 1));
      }
      return void setTimeout(() => forward(target, incoming, answer), SLOW_MS);
    }
    if (store.mood === 'cut late') return forward(target, incoming, answer, cutLate(answer));
    const present = store.mood;
    if (ONCE.includes(present)) store.mood = 'well';
    mistreat(target, present, incoming, answer);
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

function isMistreated(mood: Mood, { headers, method }: IncomingMessage): boolean {
  if (mood === 'keeping') return method === 'DELETE';
  if (ONCE.includes(mood)) return method === 'PUT';
  return mood === 'unconditional' ? headers['if-none-match'] !== undefined : mood !== 'well';
}

function mistreat(target: string, mood: Mood, incoming: IncomingMessage, answer: ServerResponse): void {
  if (mood === 'silent' || mood === 'keeping') return;
  if (mood === 'deaf') return void incoming.resume();
  if (mood === 'cut' || mood === 'stuck') return halfway(target, mood, incoming, answer);
  if (mood === 'closed once') return void incoming.destroy();
  if (mood === 'forgetful once') return forward(target, incoming, answer, () => answer.destroy());
  const status = mood === 'unconditional' ? 501 : mood === 'busy once' ? 503 : Number(mood);
  const code = { 403: 'AccessDenied', 500: 'InternalError', 501: 'NotImplemented', 503: 'SlowDown' }[status];
  incoming.resume();
  incoming.once('end', () => {
    answer.writeHead(status, { 'content-type': 'application/xml' });
    answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>not now</Message></Error>`);
  });
}

/** Applies a fault: the store receives nothing of a write, and the client receives only a part of a read. */
function halfway(target: string, mood: 'cut' | 'stuck', incoming: IncomingMessage, answer: ServerResponse): void {
  if (incoming.method !== 'GET') {
    let taken = 0;
    incoming.on('data', (bytes: Buffer) => {
      taken += bytes.length;
      if (mood === 'stuck') incoming.pause();
      else if (taken >= HALFWAY) incoming.destroy();
    });
    if (incoming.method === 'DELETE' && mood === 'cut') incoming.destroy();
    return;
  }
  forward(target, incoming, answer, (reply) => {
    reply.once('data', (bytes: Buffer) => {
      reply.destroy();
      // Never the whole response: the client would send its next request on the connection.
      answer.write(bytes.subarray(0, Math.min(HALFWAY, bytes.length - 1)), () => mood === 'cut' && answer.destroy());
    });
  });
}

/** Forwards the start of a response. */
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

/** Forwards the request and its response: the whole response, or the part that the caller allows. */
function forward(
  target: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
  handle?: (reply: IncomingMessage) => void,
): void {
  const { method, headers, url = '/' } = incoming;
  const onward = request(new URL(url, target), { method, headers, agent: false });
  onward.on('error', () => answer.destroy());
  onward.on('response', (reply: IncomingMessage) => {
    reply.on('error', () => answer.destroy());
    answer.writeHead(reply.statusCode ?? 500, reply.headers);
    if (handle) handle(reply);
    else reply.pipe(answer);
  });
  incoming.pipe(onward);
}

function ignore(): void {}
