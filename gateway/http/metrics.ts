import { OperationTypeNode } from 'graphql';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isIP } from 'node:net';
import { forbidden, unauthenticated } from '../../kernel/errors.js';
import { matchesSecret, tokenOf } from '../../kernel/security/credentials.js';
import { METRICS } from '../../kernel/telemetry/metrics.js';
import { writeMetrics } from '../../kernel/telemetry/metrics-answer.js';

/** Histogram buckets in seconds, from a cached read to the longest upload of a chunk. */
const REQUEST_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Fewer buckets, because every root field has a series of its own. */
const OPERATION_BUCKETS_SECONDS = [0.0025, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Values of the label `method`; every other method counts as `other`. */
const LABELED_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const REQUEST_SECONDS = METRICS.histogram(
  'http_request_seconds',
  'Time from the arrival of a request to the end of its answer.',
  // `route` is the pattern of the route, not the URL: ids must not become label values.
  ['method', 'route', 'status'],
  REQUEST_BUCKETS_SECONDS,
);

// Only names of the schema and error codes: text of clients must not become label values.
const OPERATIONS = METRICS.counter(
  'graphql_operations_total',
  'GraphQL operations, over HTTP and websockets, by root field and by the code of their first error, OK without one.',
  ['type', 'operation', 'code'],
);
const OPERATION_SECONDS = METRICS.histogram(
  'graphql_operation_seconds',
  'Time of a query or mutation, over HTTP and websockets, by root field.',
  ['type', 'operation'],
  OPERATION_BUCKETS_SECONDS,
);

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

/** Codes that docs/service-levels.md counts as failures. */
const FAILURES: ReadonlySet<string> = new Set(['INTERNAL', 'UNAVAILABLE']);

/** Counts an operation by its first failure, else by its first error. @param seconds its duration @param traceId of its recorded trace */
export function countOperation({ type, field, codes }: OperationReport, seconds: number, traceId?: string): void {
  OPERATIONS.add([type, field, codes.find((code) => FAILURES.has(code)) ?? codes[0] ?? 'OK']);
  // A subscription lasts as long as its client listens.
  if (type !== OperationTypeNode.SUBSCRIPTION) OPERATION_SECONDS.observe([type, field], seconds, traceId);
}

/** Measures requests, and adds GET /metrics for Prometheus. @param tokens accepted bearer tokens; if empty, none is required */
export function addMetrics(app: FastifyInstance, publicUrl: string, tokens: readonly string[]): void {
  app.addHook('onResponse', async (request, reply) => {
    const { operation, traceId } = request;
    const seconds = reply.elapsedTime / 1000;
    if (operation) countOperation(operation, seconds, traceId);
    const method = LABELED_METHODS.has(request.method) ? request.method : 'other';
    const route = request.routeOptions.url ?? 'none';
    REQUEST_SECONDS.observe([method, route, `${reply.statusCode}`], seconds, traceId);
  });
  removeCorsHeaders(app);
  const publicHost = new URL(publicUrl).hostname;
  app.get('/metrics', {
    onRequest: async (request) => {
      if (isCrossOrigin(request, publicHost)) throw forbidden('Metrics are not served to pages of other origins.');
      if (tokens.length > 0 && !matchesSecret(tokenOf(request.headers.authorization) ?? '', tokens))
        throw unauthenticated('Send the metrics token as `Authorization: Bearer …`.');
    },
    handler: async ({ headers }, reply) => {
      const { type, text } = await writeMetrics(headers.accept);
      return reply.header('cache-control', 'no-store').type(type).send(text);
    },
  });
}

/** Pages of other origins must not read /metrics, nor its 404 and 405 responses. */
function removeCorsHeaders(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.url !== '/metrics' && !/^\/metrics\/?(?:\?|$)/.test(request.url)) return;
    for (const name of Object.keys(reply.getHeaders()))
      if (name.startsWith('access-control-')) reply.removeHeader(name);
    reply.header('cross-origin-resource-policy', 'same-origin');
  });
}

/** Whether a page of another origin sent the request, including by DNS rebinding. */
function isCrossOrigin({ headers }: FastifyRequest, publicHost: string): boolean {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin !== undefined && hostOf(origin) !== host) return true;
  return host !== undefined && !isTrustedHost(hostNameOf(host), publicHost);
}

/** Whether the host is an IP address, a name without a dot, or the public host. */
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
