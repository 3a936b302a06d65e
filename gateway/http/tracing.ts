import type { FastifyInstance, FastifyRequest } from 'fastify';
import { STATUS_BY_CODE } from '../../kernel/errors.js';
import type { Span, Trace } from '../../kernel/telemetry/trace.js';

/** Requests between subgraphs: their operations have their own spans. */
const INTERNAL_ROUTE = /^\/_subgraphs\//;

const CODE_BY_STATUS = new Map<number, string>(Object.entries(STATUS_BY_CODE).map(([code, status]) => [status, code]));

/** Creates a span for each request. It holds the route and the method, but no ids, headers or body. */
export function addTracing(app: FastifyInstance, trace: Trace): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request;
    const route = request.is404 ? undefined : request.routeOptions.url;
    if (route !== undefined && INTERNAL_ROUTE.test(route)) return done();
    const { traceparent } = headers;
    const span = trace.begin({
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      attributes: { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) },
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    });
    spans.set(request, span);
    request.traceId = span.traceId;
    // `close` also occurs when the client disconnects before the response.
    reply.raw.once('close', () => end(span, reply.raw.statusCode, reply.raw.writableFinished));
    trace.run(span, done);
  });
  // Reading the body loses the async context, so the span is set again.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) trace.run(span, done);
    else done();
  });
}

function end(span: Span, status: number, isAnswered: boolean): void {
  if (isAnswered) span.describe({ 'http.response.status_code': status });
  if (!isAnswered) span.fail('ABORTED');
  else if (status >= 400) span.fail(CODE_BY_STATUS.get(status) ?? String(status));
  span.end();
}
