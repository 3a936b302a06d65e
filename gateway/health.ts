import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Sources } from './platform.js';

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

interface HealthDoor {
  readonly sources: Sources;
  readonly version: string;
  /** Whether the server has begun to stop. */
  readonly isStopping: () => boolean;
}

/** Adds /health, /health/live and /health/ready, the last two also by the names that older clients use. Source: operating contract, Start and stop; client facts, 4.1 and 4.5 */
export function addHealth(app: FastifyInstance, { sources, version, isStopping }: HealthDoor): void {
  const healthy = { status: 'healthy', version, capabilities: CAPABILITIES };
  app.get('/health', () => healthy);
  const ready = async (_request: FastifyRequest, reply: FastifyReply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping', failing: [] });
    const failing = await failingSources(sources);
    if (failing.length > 0) return reply.code(503).send({ status: 'unavailable', failing });
    return { status: 'ready' };
  };
  for (const url of ['/health/live', '/healthz']) app.get(url, () => ({ status: 'live' }));
  for (const url of ['/health/ready', '/readyz']) app.get(url, ready);
}

async function failingSources(sources: Sources): Promise<string[]> {
  const checks = [...sources.values()].map(async (source) =>
    (await answersInTime(source.check())) ? [] : [source.dependency],
  );
  return [...new Set((await Promise.all(checks)).flat())];
}

async function answersInTime(check: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), CHECK_LIMIT_MS)));
  const well = check.then(
    () => true,
    () => false,
  );
  return Promise.race([well, late]).finally(() => clearTimeout(timer));
}
