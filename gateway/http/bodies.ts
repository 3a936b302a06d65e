import busboy, { type Busboy, type Limits } from 'busboy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { ByteSource } from '../../kernel/http/bytes.js';
import { linger, whenIdle, whenLate, type BodyTimes } from '../../kernel/http/body-times.js';
import { badRequest, requestTimeout } from '../../kernel/errors.js';

/** Size limit of a JSON body. Real clients send at most about a tenth of it. */
export const MAX_BODY_BYTES = 100 * 1024;

/** Maximum number of parts of a form. Unknown parts after the first count too, but are ignored. */
export const MAX_PARTS = 20;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads the body as a stream: it has an idle timeout, but no total timeout. */
    readonly isStreamed?: boolean;
  }
}

/** Adds timeouts for bodies, answers `Expect: 100-continue`, and closes connections with an unread body. */
export function timeBodies(
  app: FastifyInstance,
  times: BodyTimes,
  refuse: (error: Error, request: FastifyRequest, reply: FastifyReply) => void,
): void {
  // Sends 100 Continue only before the body is read, after every check that does not need the body.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response);
  });
  app.addHook('preParsing', async (request, reply) => {
    if (request.raw.complete) return;
    const sendTimeout = (message: string) => {
      if (!reply.sent) refuse(requestTimeout(message), request, reply);
    };
    const stop = isStreamed(request)
      ? whenIdle(request.raw, times, () => sendTimeout('The body arrives too slowly, or has stopped arriving.'))
      : whenLate(request.raw, times.wholeMs, () =>
          sendTimeout(`The body did not arrive within ${times.wholeMs / 1000} s.`),
        );
    reply.raw.once('close', stop);
    if (!isStreamed(request)) sendContinue(request, reply);
  });
  app.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete || raw.destroyed) return;
    reply.header('connection', 'close');
    linger(raw);
  });
}

/** Whether the route reads the body as a stream. */
function isStreamed({ routeOptions, headers }: FastifyRequest): boolean {
  return routeOptions.config.isStreamed === true || isMultipart(headers['content-type']);
}

/** Whether the Content-Type is multipart/form-data. */
export function isMultipart(contentType: string | undefined): boolean {
  return /^multipart\/form-data\b/i.test(contentType ?? '');
}

/** Sends 100 Continue when the client waits for it. */
export function sendContinue({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (/^100-continue$/i.test(raw.headers.expect ?? '') && !reply.raw.headersSent) reply.raw.writeContinue();
}

/** The bytes of a part: not more than the whole body has. */
export function bytesOfPart({ headers }: FastifyRequest, stream: Readable): ByteSource {
  const { 'content-length': length } = headers;
  return new ByteSource(stream, undefined, { maxBytes: length === undefined ? undefined : Number(length) });
}

/** The result of reading a form. */
export interface FormOutcome<Result> {
  readonly resolve: (result: Result) => void;
  /** Stops reading. */
  readonly fail: (error: Error) => void;
}

/**
 * Reads a multipart form. `listen` adds the listeners of the parts, and settles the result; a file is read as fast as its
 * stream is, also after that.
 * @throws BAD_REQUEST for another body, or a malformed form
 */
export function readParts<Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: Limits,
  listen: (parser: Busboy, outcome: FormOutcome<Result>) => void,
): Promise<Result> {
  const { raw } = request;
  const parser = openParser(request, limits);
  return new Promise<Result>((resolve, reject) => {
    const fail = (error: Error) => {
      raw.unpipe(parser);
      raw.pause();
      reject(error);
      parser.destroy();
    };
    listen(parser, { resolve, fail });
    // The reader of a file gets its errors.
    parser.on('file', (_, stream) => stream.on('error', () => undefined));
    parser.on('error', () => fail(badRequest('The form is malformed or breaks off.')));
    const onClosed = () => void (raw.complete || parser.destroy(new Error('the client went away')));
    raw.once('error', onClosed).once('close', onClosed);
    sendContinue(request, reply);
    raw.pipe(parser);
  });
}

function openParser({ headers }: FastifyRequest, limits: Limits): Busboy {
  try {
    return busboy({ headers, defParamCharset: 'utf8', preservePath: true, limits });
  } catch {
    throw badRequest('The body must be multipart/form-data.');
  }
}
