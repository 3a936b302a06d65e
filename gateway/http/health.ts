import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import type { SubgraphClients } from '../composition/subgraph-clients.js';

/** What the folder-sync document's clients may expect of this server. */
const CAPABILITIES = [
  'folders',
  'folder_entries',
  'upload',
  'upload_sessions',
  'download_range',
  'browse',
  'search_files',
  'delete_files',
  'rename_files',
  'register_relative_paths',
  'summaries',
] as const;

/** Milliseconds a dependency may take to say that it is well. */
const CHECK_LIMIT_MS = 3_000;

interface HealthDependencies {
  readonly sources: SubgraphClients;
  readonly version: string;
  /** Whether the server has begun to stop. */
  readonly isStopping: () => boolean;
}

/** Adds /health, /health/live and /health/ready, the last two also by the names that older clients use. Source: operating contract, Start and stop; client facts, 4.1 and 4.5 */
export function addHealth(app: FastifyInstance, { sources, version, isStopping }: HealthDependencies): void {
  const healthy = { status: 'healthy', version, capabilities: CAPABILITIES };
  app.get('/health', () => healthy);
  const ready = async (_request: FastifyRequest, reply: FastifyReply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping', failing: [] });
    const failing = await failingDependencies(sources);
    if (failing.length > 0) return reply.code(503).send({ status: 'unavailable', failing });
    return { status: 'ready' };
  };
  for (const url of ['/health/live', '/healthz']) app.get(url, () => ({ status: 'live' }));
  for (const url of ['/health/ready', '/readyz']) app.get(url, ready);
}

async function failingDependencies(sources: SubgraphClients): Promise<string[]> {
  const checks = [...sources.values()].map(failingOf);
  return [...new Set((await Promise.all(checks)).flat())];
}

/** What the subgraph says it does not have; itself, or its database, where it does not say anything in time. */
async function failingOf(source: SubgraphClient): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const silent = [source.dependency];
  const late = new Promise<readonly string[]>((resolve) => (timer = setTimeout(() => resolve(silent), CHECK_LIMIT_MS)));
  const told = source.check().catch(() => silent);
  return Promise.race([told, late]).finally(() => clearTimeout(timer));
}
