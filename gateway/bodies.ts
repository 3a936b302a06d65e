import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestTimeout } from '../kernel/errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is read as it comes by whoever serves the route: at most idle, never late. */
    readonly isStreamed?: boolean;
  }
}

/** How long bodies are waited for, in milliseconds. */
export interface BodyTimes {
  /** A body that is read whole must be complete by then. */
  readonly wholeMs: number;
  /** A body that is read as it comes may rest so long. */
  readonly idleMs: number;
  /** From then on it must have come at least so fast on the whole: who sends a byte now and then holds memory for nothing. */
  readonly leastBytesPerSecond: number;
}

export const BODY_TIMES: BodyTimes = { wholeMs: 120_000, idleMs: 30_000, leastBytesPerSecond: 4_096 };

/** Milliseconds that a client who was refused may go on sending, so that it reads the refusal instead of a reset. */
const LINGER_MS = 5_000;

/** How often within the limit an idle body is looked at. */
const LOOKS = 10;

/** Times bodies, tells clients that expect it when to send them, and closes connections whose body was not read. */
export function timeBodies(
  app: FastifyInstance,
  times: BodyTimes,
  refuse: (error: Error, request: FastifyRequest, reply: FastifyReply) => void,
): void {
  // "100-continue": the body is asked for where it is about to be read, after all that can be checked without it.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
  app.addHook('preParsing', async (request, reply) => {
    if (request.raw.complete) return;
    const late = (message: string) => {
      if (!reply.sent) refuse(requestTimeout(message), request, reply);
    };
    const stop = isStreamed(request)
      ? whenIdle(request.raw, times, () => late('The body comes too slowly, or no more at all.'))
      : whenLate(request.raw, times.wholeMs, () => late(`The body did not come within ${times.wholeMs / 1000} s.`));
    reply.raw.once('close', stop);
    if (!isStreamed(request)) goOn(request, reply);
  });
  app.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete || raw.destroyed) return;
    reply.header('connection', 'close');
    linger(raw);
  });
}

/** Whether the body is read as it comes. */
function isStreamed({ routeOptions, headers }: FastifyRequest): boolean {
  return routeOptions.config.isStreamed === true || isMultipart(headers['content-type']);
}

/** Whether a body of this content type is a form with files. */
export function isMultipart(contentType: string | undefined): boolean {
  return /^multipart\/form-data\b/i.test(contentType ?? '');
}

/** Tells a client that expects to be told that its body is wanted. */
export function goOn({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (/^100-continue$/i.test(raw.headers.expect ?? '') && !reply.raw.headersSent) reply.raw.writeContinue();
}

function whenLate(raw: IncomingMessage, limitMs: number, act: () => void): () => void {
  const timer = setTimeout(() => !raw.complete && act(), limitMs);
  const stop = () => clearTimeout(timer);
  raw.once('end', stop);
  return stop;
}

/** What is known of a body that is streamed. */
interface Watch {
  /** Bytes that its connection had brought before it. */
  readonly before: number;
  seen: number;
  idleLooks: number;
  waitedMs: number;
}

function whenIdle(raw: IncomingMessage, times: BodyTimes, act: () => void): () => void {
  const { bytesRead } = raw.socket;
  const watch = { before: bytesRead, seen: bytesRead, idleLooks: 0, waitedMs: 0 };
  const timer = setInterval(() => {
    if (!raw.complete && !isTooSlow(watch, raw, times)) return;
    clearInterval(timer);
    if (!raw.complete) act();
  }, times.idleMs / LOOKS);
  return () => clearInterval(timer);
}

/** Looks at a body again. Time that passes while we do not read is not the client's. */
function isTooSlow(watch: Watch, raw: IncomingMessage, { idleMs, leastBytesPerSecond }: BodyTimes): boolean {
  const { bytesRead } = raw.socket;
  const isResting = bytesRead === watch.seen;
  watch.seen = bytesRead;
  watch.idleLooks = isResting && isAwaited(raw) ? watch.idleLooks + 1 : 0;
  if (!isAwaited(raw)) return false;
  watch.waitedMs += idleMs / LOOKS;
  const isSlow = (bytesRead - watch.before) * 1000 < leastBytesPerSecond * watch.waitedMs;
  return watch.idleLooks >= LOOKS || (isSlow && watch.waitedMs > idleMs);
}

/** Whether we have read all that has come and want more. */
function isAwaited(raw: IncomingMessage): boolean {
  const isRead = raw.readableFlowing !== false || raw.listenerCount('readable') > 0;
  return isRead && raw.readableLength === 0;
}

/** Ends our side and lets the other run dry: a reset would overtake the answer. Source: RFC 9112, 9.6 */
function linger(raw: IncomingMessage): void {
  const { socket } = raw;
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
    raw.unpipe();
    raw.resume();
  };
}
