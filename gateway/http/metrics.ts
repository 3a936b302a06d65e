import type { OperationTypeNode } from 'graphql';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isIP } from 'node:net';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { forbidden } from '../../kernel/errors.js';
import { METRICS } from '../../kernel/telemetry/metrics.js';

/** Histogram buckets in seconds, from a cached read to the longest upload of a chunk. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Values of the label `method`; every other method counts as `other`. */
const LABELED_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A GraphQL operation in logs and metrics. Its HTTP status is 200 even when it failed. */
export interface OperationReport {
  /** `none` for an invalid document. */
  readonly type: OperationTypeNode | 'none';
  /** The operation name of the client. Logged, but never a metric label. */
  readonly name?: string;
  /** Its root field, or `several`; `none` for an invalid document. */
  readonly field: string;
  /** The distinct codes of its errors. */
  readonly codes: readonly string[];
}

/** Adds GET /metrics for Prometheus. Returns a function that counts operations on websockets. */
export function addMetrics(app: FastifyInstance, publicUrl: string): (operation: OperationReport) => void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    // `route` is the pattern of the route, not the URL: ids must not become label values.
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const operations = new Counter({
    name: 'graphql_operations_total',
    help: 'GraphQL operations, over HTTP and websockets, by root field and by the code of their first error, OK without one.',
    // Only names of the schema and error codes: text of clients must not become label values.
    labelNames: ['type', 'operation', 'code'],
    registers: [registry],
  });
  const count = ({ type, field, codes }: OperationReport) =>
    operations.inc({ type, operation: field, code: codes[0] ?? 'OK' });
  app.addHook('onResponse', async (request, reply) => {
    if (request.operation) count(request.operation);
    const method = LABELED_METHODS.has(request.method) ? request.method : 'other';
    const labels = { method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    seconds.observe(labels, reply.elapsedTime / 1000);
  });
  removeCorsHeaders(app);
  const publicHost = new URL(publicUrl).hostname;
  app.get('/metrics', {
    onRequest: async (request) => {
      if (isCrossOrigin(request, publicHost)) throw forbidden('Metrics are not served to pages of other origins.');
    },
    handler: async (_request, reply) => {
      const text = await Registry.merge([registry, METRICS]).metrics();
      return reply.header('cache-control', 'no-store').type(registry.contentType).send(text);
    },
  });
  return count;
}

/** Removes the CORS headers from responses of /metrics. */
function removeCorsHeaders(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.url !== '/metrics' && !/^\/metrics\/?(?:\?|$)/.test(request.url)) return;
    for (const name of Object.keys(reply.getHeaders()))
      if (name.startsWith('access-control-')) reply.removeHeader(name);
    reply.header('cross-origin-resource-policy', 'same-origin');
  });
}

/** Whether a browser sends the request for a page of another origin, or through DNS rebinding. */
function isCrossOrigin({ headers }: FastifyRequest, publicHost: string): boolean {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin !== undefined && hostOf(origin) !== host) return true;
  return host !== undefined && !isTrustedHost(hostNameOf(host), publicHost);
}

/** Whether the host is an IP address, a name outside public DNS, or the public host. */
function isTrustedHost(name: string, publicHost: string): boolean {
  return isIP(name) !== 0 || !name.includes('.') || name.endsWith('.localhost') || name === publicHost;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** The name in a Host header, without its port and the brackets of IPv6. */
function hostNameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}
