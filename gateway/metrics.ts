import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** Seconds a request may take, upper bounds: from a cached read to the longest upload of a chunk. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Adds GET /metrics for Prometheus: the process, and the seconds of HTTP requests by method, route and status, GraphQL operations by root field and code. */
export function addMetrics(app: FastifyInstance): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    // The pattern of the route, never the URL: ids must not become label values.
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const operations = new Counter({
    name: 'graphql_operations_total',
    help: 'GraphQL requests by root field and by the code of their first error, OK without one.',
    // Names of the schema and of our codes, never those that clients give: they must not become label values.
    labelNames: ['type', 'operation', 'code'],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const { operation } = request;
    if (operation)
      operations.inc({ type: operation.type, operation: operation.field, code: operation.codes[0] ?? 'OK' });
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    seconds.observe(labels, reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (_request, reply) => {
    const text = await registry.metrics();
    return reply.header('cache-control', 'no-store').type(registry.contentType).send(text);
  });
}
