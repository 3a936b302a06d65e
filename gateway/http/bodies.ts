import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { linger, whenIdle, whenLate, type BodyTimes } from '../../kernel/http/body-times.js';
import { requestTimeout } from '../../kernel/errors.js';

/** Size limit of a JSON body. The largest body a real client sends is about a tenth of it. */
export const MAX_BODY_BYTES = 100 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is read as it comes by whoever serves the route: at most idle, never late. */
    readonly isStreamed?: boolean;
  }
}

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
