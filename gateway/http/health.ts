import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SingleFlight } from '../../kernel/concurrency/single-flight.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import type { SubgraphClients } from '../composition/subgraph-clients.js';

/** Timeout of the health check of one subgraph. */
const CHECK_TIMEOUT_MS = 3_000;

interface HealthDependencies {
  readonly subgraphs: SubgraphClients;
  readonly version: string;
  readonly capabilities: readonly string[];
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** Default: 3 s. */
  readonly checkTimeoutMs?: number;
}

/** Adds /health, /health/live and /health/ready, and for older clients /healthz and /readyz. */
export function addHealth(app: FastifyInstance, dependencies: HealthDependencies): void {
  const { subgraphs, version, capabilities, stopping, checkTimeoutMs = CHECK_TIMEOUT_MS } = dependencies;
  const checks = new SingleFlight<'ready', string[]>();
  const healthy = { status: 'healthy', version, capabilities };
  app.get('/health', () => healthy);
  const ready = async (_request: FastifyRequest, reply: FastifyReply) => {
    if (stopping.aborted) return reply.code(503).send({ status: 'stopping', failing: [] });
    const failing = await checks.join('ready', () => failingDependencies(subgraphs, checkTimeoutMs));
    if (failing.length > 0) return reply.code(503).send({ status: 'unavailable', failing });
    return { status: 'ready' };
  };
  for (const url of ['/health/live', '/healthz']) app.get(url, () => ({ status: 'live' }));
  for (const url of ['/health/ready', '/readyz']) app.get(url, ready);
}

async function failingDependencies(subgraphs: SubgraphClients, timeoutMs: number): Promise<string[]> {
  const checks = [...subgraphs.values()].map((client) => failingOf(client, timeoutMs));
  return [...new Set((await Promise.all(checks)).flat())];
}

/** Returns the failing dependencies of a subgraph. A failed or late check counts as a failure of `client.dependency`. */
async function failingOf(client: SubgraphClient, timeoutMs: number): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const unanswered = [client.dependency];
  const late = new Promise<readonly string[]>((resolve) => (timer = setTimeout(() => resolve(unanswered), timeoutMs)));
  const checked = client.check().catch(() => unanswered);
  return Promise.race([checked, late]).finally(() => clearTimeout(timer));
}
