import type { FastifyInstance, FastifyRequest } from 'fastify';
import { STATUS_BY_CODE } from '../../kernel/errors.js';
import type { Span, Trace } from '../../kernel/telemetry/trace.js';

/** Between the parts of the platform: their operations are spans already. */
const INNER = /^\/_subgraphs\//;

const CODES = new Map<number, string>(Object.entries(STATUS_BY_CODE).map(([code, status]) => [status, code]));

/** Makes each request a span, by its route: what else is in its address, headers and body is not told. */
export function addTracing(app: FastifyInstance, trace: Trace): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request;
    const route = request.is404 ? undefined : request.routeOptions.url;
    if (route !== undefined && INNER.test(route)) return done();
    const { traceparent } = headers;
    const span = trace.begin({
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      attributes: { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) },
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    spans.set(request, span);
    // Also where the client has gone away before it was answered.
    reply.raw.once('close', () => end(span, reply.raw.statusCode, reply.raw.writableFinished));
    trace.run(span, done);
  });
  // What comes after a body comes from its connection, which knows of no span.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) trace.run(span, done);
    else done();
  });
}

function end(span: Span, status: number, isAnswered: boolean): void {
  if (isAnswered) span.describe({ 'http.response.status_code': status });
  if (!isAnswered) span.fail('ABORTED');
  else if (status >= 400) span.fail(CODES.get(status) ?? String(status));
  span.end();
}
