import type { SubgraphManifest, SubgraphSettings } from './subgraph.js';
import { subgraphSchema } from './subgraph.js';
import type { PlatformConfig } from '../config/config.js';
import { openDatabase, type Database, type LimitedDatabase } from '../database/database.js';
import { databaseForJobs, databaseForRequests } from '../database/limited-database.js';
import type { Events } from '../events/events.js';
import { openPostgresEvents } from '../events/postgres-events.js';
import type { CallSubgraph } from './call-subgraph.js';
import type { Runtime } from './context.js';
import { auditExpiry } from '../audit/expiry.js';
import { measuredJobs, readWaitingJobs } from '../jobs/job-metrics.js';
import { openJobs, type JobDefinition, type JobQueue, type Jobs, type JobsDependencies } from '../jobs/jobs.js';
import { recordDataKeys } from '../security/data-key.actions.js';
import { LocalSubgraph } from './local-subgraph.js';
import type { Logger } from '../telemetry/log.js';
import { observeDatabase } from '../telemetry/database-gauges.js';
import type { Sample } from '../telemetry/metrics.js';
import { tracedDatabase, tracedJobs } from './traced.js';
import type { Trace } from '../telemetry/trace.js';

export interface SubgraphOptions extends Omit<SubgraphSettings, 'own'> {
  readonly config: PlatformConfig;
  readonly databaseUrl: string | undefined;
  /** `nats://…`; undefined: events use PostgreSQL. */
  readonly eventsUrl: string | undefined;
  readonly callSubgraph: CallSubgraph;
  readonly now: () => Date;
  readonly log: Logger;
  /** Undefined: no tracing. */
  readonly trace: Trace | undefined;
}

/**
 * Starts a subgraph in this process: opens events, migrates, opens services, prepares. Its jobs wait for `startJobs`. Closing it
 * closes all of them.
 */
export async function openSubgraph(manifest: SubgraphManifest, options: SubgraphOptions): Promise<LocalSubgraph> {
  const { callSubgraph, config, databaseUrl: url, eventsUrl, now, publicUrl, trace } = options;
  const settings = { ...options, own: config[manifest.name] };
  if (url === undefined) throw new Error('a subgraph in this process needs a database');
  const log = options.log.child({ subgraph: manifest.name });
  const events = await (eventsUrl === undefined ? openPostgresEvents : openNats)(eventsUrl ?? url, manifest.name, log);
  let database: LimitedDatabase | undefined;
  let close = () => Promise.resolve();
  let jobs = NO_JOBS;
  try {
    const { databasePoolUrl: poolUrl, databaseReplicaUrl: replicaUrl, databasePoolSize: poolSize } = config;
    database = await openDatabase({ url, poolUrl, replicaUrl, poolSize, schema: manifest.name, log, events });
    const services = await manifest.open?.(settings);
    close = async () => manifest.close?.(services);
    await checkDataKeys(manifest, database, { config, log });
    const rest = {
      database: tracedDatabase(databaseForRequests(database), manifest.name, trace),
      events,
      services,
      callSubgraph,
      now,
      publicUrl,
      log,
    };
    const own = [...(manifest.jobs?.(settings) ?? []), auditExpiry(config.auditDays)];
    const definitions = tracedJobs(measuredJobs(own, manifest.name), manifest.name, trace);
    const forJobs = { ...rest, database: databaseForJobs(database) };
    const queueOptions = { events, log, definitions, createRuntime: (queue: Jobs) => ({ ...forJobs, jobs: queue }) };
    jobs = await openQueue(manifest.name, url, queueOptions);
    const runtime: Runtime = { ...rest, jobs };
    await manifest.prepare?.(runtime, settings);
    const stopGauges = observeDatabase(() => readGauges(manifest, runtime, definitions));
    return new LocalSubgraph(subgraphSchema(manifest), runtime, {
      byteEndpoints: manifest.bytes,
      checks: manifest.checks,
      startJobs: () => jobs.start(),
      close: () => {
        stopGauges();
        return close();
      },
    });
  } catch (error) {
    // Jobs close first, because they use the rest.
    await jobs.close();
    await close();
    await events.close();
    await database?.close();
    throw error;
  }
}

/** Warns the operator of secrets that this process cannot read. */
async function checkDataKeys(
  { secrets }: SubgraphManifest,
  database: Database,
  { config, log }: Pick<SubgraphOptions, 'config' | 'log'>,
): Promise<void> {
  const warning = secrets && (await recordDataKeys(database, config));
  if (warning !== undefined) log.warn(warning);
}

/** Reads the gauges of the subgraph and of its queue. */
async function readGauges(
  { name, gauges }: SubgraphManifest,
  { database, now }: Runtime,
  definitions: readonly JobDefinition<Runtime>[],
): Promise<readonly Sample[]> {
  const jobs = definitions.length > 0 ? readWaitingJobs(database, name, definitions) : [];
  const read = await Promise.all([jobs, gauges?.(database, now()) ?? []]);
  return read.flat();
}

/** Opens the queue if the subgraph has jobs. */
async function openQueue(
  name: string,
  databaseUrl: string,
  {
    log,
    ...options
  }: Pick<JobsDependencies<Runtime>, 'definitions' | 'events' | 'createRuntime'> & { readonly log: Logger },
): Promise<JobQueue> {
  if (options.definitions.length === 0) return NO_JOBS;
  const report = (error: unknown, job: string) =>
    log.error({ err: error, job }, 'a job failed and will be tried again');
  return openJobs({ databaseUrl, schema: `${name}_jobs`, ...options, report });
}

const NO_JOBS: JobQueue = {
  start: () => Promise.resolve(),
  enqueue: () => Promise.reject(new Error('this subgraph has no jobs')),
  close: () => Promise.resolve(),
};

/** Loads the NATS client only when it is used, for a faster start. */
async function openNats(url: string, subgraph: string, log: Logger): Promise<Events> {
  const { openNatsEvents } = await import('../events/nats-events.js');
  return openNatsEvents(url, subgraph, log);
}
