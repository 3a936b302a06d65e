import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { METRICS } from '../kernel/metrics.js';

/** Seconds a request may take, upper bounds: from a cached read to the longest upload of a chunk. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Adds GET /metrics for Prometheus: the process, what its parts count, and the seconds of HTTP requests by method, route and status. */
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
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    seconds.observe(labels, reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (_request, reply) => {
    const text = await Registry.merge([registry, METRICS]).metrics();
    return reply.header('cache-control', 'no-store').type(registry.contentType).send(text);
  });
}
