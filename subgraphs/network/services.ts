import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, Runtime } from '../../kernel/subgraph/context.js';
import { packageRoot } from '../../kernel/package-root.js';
import { openSecretBox, type SecretBox } from '../../kernel/security/secret-box.js';
import { rateLimited } from '../../kernel/errors.js';
import { SharedSubscription } from '../../kernel/events/sources/shared-subscription.js';
import type { SubgraphSettings } from '../../kernel/subgraph/subgraph.js';
import { KeyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.js';
import type { NetworkConfig } from './config.js';
import { CompileScheduler } from './compile/workers/compile-scheduler.js';
import { Configurations } from './joining/configuration/configurations.js';
import { lastRangeFrom } from './graph/tenant/tenant.rules.js';
import { netbirdEngine } from './drivers/netbird/netbird-engine.js';
import { LONG_LIST_TIMEOUT_MS, NetbirdApi } from './drivers/netbird-api/netbird-api.js';
import { NEBULA_ENGINE, type NetworkEngine } from './joining/setup-key/engine.js';
import { fillScript } from './joining/join/join.rules.js';
import type { Topology } from './views/topology/topology.js';
import { openTopologyCache, type TopologyCache } from './views/topology/topology-cache.js';
import { openReachabilityGraphCache, type ReachabilityGraphCache } from './views/reachability/reachability-cache.js';
import { Changes } from './views/topology/topology-change.rules.js';

/** The services of the network subgraph, opened at start from its settings and used by resolvers and jobs. */
export interface NetworkServices {
  /** Encrypts the keys of authorities. */
  readonly secretBox: SecretBox;
  /** Shared subscriptions to topologies. */
  readonly topologies: SharedSubscription<Topology>;
  readonly topologyChanges: Changes;
  /** Topologies by user. */
  readonly topologyCache: TopologyCache;
  /** Graphs for `reachability`, by tenant. */
  readonly reachabilityGraphs: ReachabilityGraphCache;
  /** Limits parallel long responses per user. */
  readonly reading: KeyedSemaphore;
  /** Limits subscriptions per user. */
  readonly watching: KeyedSemaphore;
  /** Limits parallel configuration requests per peer. */
  readonly configurationRequests: KeyedSemaphore;
  /** Compiles graphs into plans and configurations. */
  readonly compiler: CompileScheduler;
  /** The highest number of an address range. */
  readonly lastRange: number;
  /** The configurations of peers. */
  readonly configurations: Configurations;
  /** The text of the join script. */
  readonly joinScript: string;
  /** Maximum number of refused join attempts per minute and client address. */
  readonly refusalsPerMinute: number;
  /** The engine that creates setup keys. */
  readonly engine: NetworkEngine;
  /** The NetBird API for jobs; undefined when our own overlay is used. */
  readonly netbird: NetbirdApi | undefined;
  /** Aborted when the services close. */
  readonly closing: AbortController;
}

export type NetworkRuntime = Runtime<NetworkServices>;
export type NetworkContext = Context<NetworkServices>;

/** Maximum milliseconds between two reads of a graph that changes continuously. */
const POLL_INTERVAL_MS = 100;

/** Maximum number of topology subscriptions of a user in this process. */
const MAX_WATCHING = 100;

/** Maximum number of waiting long responses of a user in this process. */
const MAX_READING = 500;

/** Maximum number of parallel configuration requests of a machine in this process. A machine needs one, or two during a restart. */
const MAX_CONFIGURATION_REQUESTS = 8;

/** Opens the services. @throws ConfigError with a line for the operator when a setting is invalid */
export async function openServices({
  config,
  own,
  publicUrl,
}: SubgraphSettings<NetworkConfig>): Promise<NetworkServices> {
  const secretBox = await openSecretBox(config);
  const script = await readFile(join(packageRoot(), 'subgraphs/network/joining/join/join.sh'), 'utf8');
  const { lighthouses, lighthousePort, netbird, compileLimits } = own;
  const hosts = lighthouses.length > 0 ? lighthouses : [new URL(publicUrl).hostname];
  const compiler = new CompileScheduler(compileLimits);
  return {
    secretBox,
    topologies: new SharedSubscription({ everyMs: POLL_INTERVAL_MS, isShorterAfterQuickReads: true }),
    topologyChanges: new Changes(),
    topologyCache: openTopologyCache(),
    reachabilityGraphs: openReachabilityGraphCache(),
    reading: new KeyedSemaphore({ atOnce: 1, waiting: MAX_READING }, () =>
      rateLimited('Too many requests of yours for long lists are waiting.', { retryAfter: 2 }),
    ),
    watching: new KeyedSemaphore({ atOnce: MAX_WATCHING, waiting: 0 }, () =>
      rateLimited(`At most ${MAX_WATCHING} subscriptions to a topology at once.`, { retryAfter: 1 }),
    ),
    configurationRequests: new KeyedSemaphore({ atOnce: MAX_CONFIGURATION_REQUESTS, waiting: 0 }, () =>
      rateLimited(`At most ${MAX_CONFIGURATION_REQUESTS} requests of a machine at once.`, { retryAfter: 1 }),
    ),
    compiler,
    // A NetBird server has no ports of ours.
    lastRange: netbird ? Number.MAX_SAFE_INTEGER : lastRangeFrom(lighthousePort),
    configurations: new Configurations(compiler, hosts, lighthousePort),
    joinScript: fillScript(script, publicUrl),
    refusalsPerMinute: config.verificationsPerMinute,
    engine: netbird ? netbirdEngine(netbird) : NEBULA_ENGINE,
    netbird: netbird && new NetbirdApi(netbird, LONG_LIST_TIMEOUT_MS),
    closing: new AbortController(),
  };
}

/** Closes the services. */
export function closeServices({ closing, compiler }: NetworkServices): Promise<void> {
  closing.abort();
  return compiler.close();
}
