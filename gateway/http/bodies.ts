import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { linger, whenIdle, whenLate, type BodyTimes } from '../../kernel/http/body-times.js';
import { requestTimeout } from '../../kernel/errors.js';

/** Size limit of a JSON body. Real clients send at most about a tenth of it. */
export const MAX_BODY_BYTES = 100 * 1024;

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
