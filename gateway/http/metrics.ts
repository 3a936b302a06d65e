import type { OperationTypeNode } from 'graphql';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isIP } from 'node:net';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { forbidden } from '../../kernel/errors.js';
import { METRICS } from '../../kernel/telemetry/metrics.js';

/** Seconds a request may take, upper bounds: from a cached read to the longest upload of a chunk. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods with a series of their own. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** What the log and the metrics say of a GraphQL request: its status is 200 also where it was refused. */
export interface OperationReport {
  /** `none` for a document that was refused. */
  readonly type: OperationTypeNode | 'none';
  /** As the client named it: for the log, never for metrics. */
  readonly name?: string;
  /** Its one root field as the schema names it, else `several`; `none` for a document that was refused. */
  readonly field: string;
  /** The codes of its errors, each once. */
  readonly codes: readonly string[];
}

/** Adds GET /metrics for Prometheus: the process, what its parts count, the seconds of HTTP requests by method, route and status, GraphQL operations by root field and code. Returns how to count those on websockets. */
export function addMetrics(app: FastifyInstance, publicUrl: string): (operation: OperationReport) => void {
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
    help: 'GraphQL operations, over HTTP and websockets, by root field and by the code of their first error, OK without one.',
    // Names of the schema and of our codes, never those that clients give: they must not become label values.
    labelNames: ['type', 'operation', 'code'],
    registers: [registry],
  });
  const count = ({ type, field, codes }: OperationReport) =>
    operations.inc({ type, operation: field, code: codes[0] ?? 'OK' });
  app.addHook('onResponse', async (request, reply) => {
    if (request.operation) count(request.operation);
    const method = METHODS.has(request.method) ? request.method : 'other';
    const labels = { method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    seconds.observe(labels, reply.elapsedTime / 1000);
  });
  hideFromOtherOrigins(app);
  const publicHost = new URL(publicUrl).hostname;
  app.get('/metrics', {
    onRequest: async (request) => {
      if (isOfForeignPage(request, publicHost)) throw forbidden('Metrics are not served to pages of other origins.');
    },
    handler: async (_request, reply) => {
      const text = await Registry.merge([registry, METRICS]).metrics();
      return reply.header('cache-control', 'no-store').type(registry.contentType).send(text);
    },
  });
  return count;
}

/** Takes the CORS headers, which every other answer has, off those of /metrics. */
function hideFromOtherOrigins(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.url !== '/metrics' && !/^\/metrics\/?(?:\?|$)/.test(request.url)) return;
    for (const name of Object.keys(reply.getHeaders()))
      if (name.startsWith('access-control-')) reply.removeHeader(name);
    reply.header('cross-origin-resource-policy', 'same-origin');
  });
}

/** Whether a browser asks for a page of another origin, or of a name that was made to lead here (DNS rebinding). */
function isOfForeignPage({ headers }: FastifyRequest, publicHost: string): boolean {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin !== undefined && hostOf(origin) !== host) return true;
  return host !== undefined && !isOwnName(hostNameOf(host), publicHost);
}

/** Addresses, names that no public DNS has, and our own. */
function isOwnName(name: string, publicHost: string): boolean {
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
