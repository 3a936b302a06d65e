import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, Runtime } from '../../kernel/subgraph/context.js';
import { packageRoot } from '../../kernel/package-root.js';
import { openSecretBox, type SecretBox } from '../../kernel/security/secret-box.js';
import { rateLimited } from '../../kernel/errors.js';
import { SharedSubscription } from '../../kernel/events/shared-subscription.js';
import type { SubgraphSettings } from '../../kernel/subgraph/subgraph.js';
import { KeyedSemaphore } from '../../kernel/concurrency/keyed-semaphore.js';
import { Compiler } from './compile/compiler/compiler.js';
import { Configurations } from './joining/configuration/configurations.js';
import { netbirdEngine } from './drivers/netbird/netbird-engine.js';
import { LONG_LIST_MS, NetbirdApi } from './drivers/netbird-api/netbird-api.js';
import { NEBULA_ENGINE, type NetworkEngine } from './joining/setup-key/engine.js';
import { fillScript } from './joining/join/join.rules.js';
import type { Topology } from './topology/topology/topology.js';
import { openTopologyCache, type TopologyCache } from './topology/topology/topology-cache.js';
import { openReachabilityGraphCache, type ReachabilityGraphCache } from './topology/reachability/reachability-cache.js';
import { Changes } from './topology/topology/topology-change.rules.js';

/** What network makes of its settings at start, for resolvers and jobs alike. */
export interface NetworkServices {
  /** Keeps the keys of authorities. */
  readonly sealer: SecretBox;
  /** Graphs that are watched. */
  readonly topologies: SharedSubscription<Topology>;
  readonly topologyChanges: Changes;
  /** Graphs that were drawn, by user. */
  readonly drawn: TopologyCache;
  /** Graphs as `reachability` asks them, by tenant. */
  readonly questioned: ReachabilityGraphCache;
  /** Long answers that are read at a time, by user: nobody's keep others from theirs. */
  readonly reading: KeyedSemaphore;
  /** How many watch, by user. */
  readonly watching: KeyedSemaphore;
  /** How many ask for their configuration or wait for another one, by peer. */
  readonly asking: KeyedSemaphore;
  /** What makes plans and configurations of graphs. */
  readonly compiler: Compiler;
  /** What each peer has to run. */
  readonly configurations: Configurations;
  /** What makes a machine join. */
  readonly joinScript: string;
  /** Attempts to join that may be refused a minute and client address. */
  readonly refusalsPerMinute: number;
  /** How machines become peers. */
  readonly engine: NetworkEngine;
  /** The server that carries the networks, as jobs ask it; undefined: our own overlay does. */
  readonly netbird: NetbirdApi | undefined;
}

export type NetworkRuntime = Runtime<NetworkServices>;
export type NetworkContext = Context<NetworkServices>;

/** Milliseconds between two looks at a graph that changes and changes. */
const POLL_INTERVAL_MS = 100;

/** Subscriptions to a graph that a user may have in this process. */
const MAX_WATCHING = 100;

/** Long answers that may wait for each other, of one user in this process. */
const MAX_READING = 500;

/** Questions for the configuration of a machine at a time in this process: a machine asks one, or two as it starts again. */
const MAX_ASKING = 8;

/** Opens them all; fails with a line for the operator where a setting cannot be used. */
export async function openServices({ config, publicUrl }: SubgraphSettings): Promise<NetworkServices> {
  const sealer = await openSecretBox(config);
  const script = await readFile(join(packageRoot(), 'subgraphs/network/joining/join/join.sh'), 'utf8');
  const { lighthouses, lighthousePort, netbird, compileLimits } = config.network;
  const hosts = lighthouses.length > 0 ? lighthouses : [new URL(publicUrl).hostname];
  const compiler = new Compiler(compileLimits);
  return {
    sealer,
    topologies: new SharedSubscription({ everyMs: POLL_INTERVAL_MS }),
    topologyChanges: new Changes(),
    drawn: openTopologyCache(),
    questioned: openReachabilityGraphCache(),
    reading: new KeyedSemaphore({ atOnce: 1, waiting: MAX_READING }, () =>
      rateLimited('Too many requests of yours for long lists are waiting.', { retryAfter: 2 }),
    ),
    watching: new KeyedSemaphore({ atOnce: MAX_WATCHING, waiting: 0 }, () =>
      rateLimited(`At most ${MAX_WATCHING} subscriptions to a topology at once.`, { retryAfter: 1 }),
    ),
    asking: new KeyedSemaphore({ atOnce: MAX_ASKING, waiting: 0 }, () =>
      rateLimited(`At most ${MAX_ASKING} requests of a machine at once.`, { retryAfter: 1 }),
    ),
    compiler,
    configurations: new Configurations(compiler, hosts, lighthousePort),
    joinScript: fillScript(script, publicUrl),
    refusalsPerMinute: config.verificationsPerMinute,
    engine: netbird ? netbirdEngine(netbird) : NEBULA_ENGINE,
    netbird: netbird && new NetbirdApi(netbird, LONG_LIST_MS),
  };
}

/** Closes what was opened. */
export function closeServices({ compiler }: NetworkServices): Promise<void> {
  return compiler.close();
}
