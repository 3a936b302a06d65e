import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addMigrations, nextVersion } from '../kit/next-version.js';
import { pause } from './client.js';
import { CONTRACT, EXPAND } from './migrations.js';
import { commandIn, runEntry, type Cluster } from './topology.js';
import type { Node } from './node.js';

const READY_LIMIT_MS = 120_000;
const STALL_MS = 3_000;

/** Something that goes wrong, and its repair. */
export interface Fault {
  readonly name: string;
  /** Milliseconds for which it lasts before it is repaired. */
  readonly lastsMs?: number;
  readonly run: (cluster: Cluster) => Promise<void>;
}

async function restart(node: Node, signal: NodeJS.Signals, command?: readonly string[]): Promise<void> {
  const code = await node.end(signal);
  if (signal === 'SIGTERM' && code !== 0) throw new Error(`${node.name} ended with ${code}:\n${node.output}`);
  node.start(command);
  await node.ready(READY_LIMIT_MS);
}

/** One process of each service in turn. */
function ofEachService(signal: NodeJS.Signals): Fault[] {
  return ['accounts', 'infrastructure', 'network', 'sync', 'gateway'].map((name, index) => ({
    name: `${signal} of one ${name}`,
    run: async ({ services }: Cluster) => {
      const replicas = services.find((service) => service.name === name)?.replicas ?? [];
      const replica = replicas[index % replicas.length];
      if (replica) await restart(replica, signal);
    },
  }));
}

/** Ends a process, and starts it again later. */
async function stop(node: Node): Promise<void> {
  await node.end('SIGTERM');
  await pause(STALL_MS);
  node.start();
}

/** Freezes a process, as a network that drops every packet does. */
async function stall(node: Node): Promise<void> {
  node.signal('SIGSTOP');
  await pause(STALL_MS);
  node.signal('SIGCONT');
}

/**
 * Every process, one after another, is stopped and started with a version that adds to tables in use. The version after it takes
 * away what no process uses: its migrations run before its processes.
 */
async function rollingRestart(cluster: Cluster): Promise<void> {
  const root = await nextVersion(cluster.folder, EXPAND);
  for (const { name, replicas } of cluster.services) {
    for (const node of replicas) await restart(node, 'SIGTERM', commandIn(root, name));
  }
  await addMigrations(root, CONTRACT);
  await runEntry(cluster, 'dist/bundle/migrate.js', root);
}

/** Two secrets are replaced in the three steps of SECURITY.md; each step restarts every process, one after another. */
async function rotateSecrets(cluster: Cluster): Promise<void> {
  const [key, secret] = await Promise.all(
    ['data_key', 'subgraph_secret'].map((name) => readFile(join(cluster.secrets, name), 'utf8')),
  );
  const newKey = randomBytes(32).toString('base64');
  const newSecret = randomBytes(24).toString('hex');
  await restartWith(cluster, { data_key: `${key},${newKey}`, subgraph_secret: `${secret},${newSecret}` });
  await restartWith(cluster, { data_key: `${newKey},${key}`, subgraph_secret: `${newSecret},${secret}` });
  await runEntry(cluster, 'dist/bundle/reseal.js');
  await restartWith(cluster, { data_key: newKey, subgraph_secret: newSecret });
}

async function restartWith({ secrets, services }: Cluster, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(secrets, name), text);
  for (const { replicas } of services) for (const node of replicas) await restart(node, 'SIGTERM');
}

/** No fault: what the other lines are compared with. */
export const NO_FAULT: Fault = { name: 'none, for 5 s', run: () => pause(5_000) };

/** Ends a process, and starts it again at once. */
async function kill(node: Node, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  await node.end(signal);
  node.start();
}

/** A new balancer takes the listening sockets over, and the former answers the requests that it has. */
function reload({ balancer, folder }: Cluster): Promise<void> {
  return balancer.replace((pid) => ['-x', join(folder, 'balancer.sock'), '-sf', `${pid}`]);
}

const NATS_KILLED: Fault = { name: 'NATS killed and started again', run: ({ nats }) => kill(nats) };

/** Faults that can come again. */
export const REPEATABLE: readonly Fault[] = [
  ...ofEachService('SIGKILL'),
  ...ofEachService('SIGTERM'),
  { name: 'NATS stopped for 3 s', lastsMs: STALL_MS, run: ({ nats }) => stop(nats) },
  NATS_KILLED,
  { name: 'NATS stalled for 3 s', lastsMs: STALL_MS, run: ({ nats }) => stall(nats) },
  { name: 'S3 killed and started again', run: ({ store }) => kill(store) },
  { name: 'S3 stopped for 3 s', lastsMs: STALL_MS, run: ({ store }) => stop(store) },
  { name: 'S3 stalled for 3 s', lastsMs: STALL_MS, run: ({ store }) => stall(store) },
  { name: 'the balancer killed and started again', run: ({ balancer }) => kill(balancer) },
  { name: 'the balancer ended by SIGTERM and started again', run: ({ balancer }) => kill(balancer, 'SIGTERM') },
  { name: 'the balancer reloaded', run: reload },
  {
    name: 'every connection cut by the proxies',
    run: async ({ balancer, proxy }) => void (await Promise.all([balancer, proxy].map((node) => kill(node)))),
  },
  {
    name: 'every connection stalled for 3 s',
    lastsMs: STALL_MS,
    run: async ({ balancer, proxy }) => void (await Promise.all([balancer, proxy].map(stall))),
  },
  {
    // After SIGTERM it refuses new connections, and waits for those it has.
    name: 'PostgreSQL ended by SIGTERM, after 3 s by SIGINT, and started again',
    lastsMs: STALL_MS,
    run: async ({ postgres }) => {
      postgres.primary.signal('SIGTERM');
      await pause(STALL_MS);
      await postgres.primary.end('SIGINT');
      postgres.primary.start();
      await postgres.answering(0);
    },
  },
  {
    name: 'PostgreSQL killed and started again',
    run: ({ postgres }) => postgres.crash(0),
  },
  {
    // Each commit waits for the standby, so changes pause until it is back; reads of the replica go to the primary.
    name: 'the standby of PostgreSQL killed and started again',
    run: ({ postgres }) => postgres.crash(1),
  },
];

const FAILOVER: Fault = {
  name: 'PostgreSQL lost, the standby takes over',
  run: async ({ postgres }) => {
    await postgres.primary.end('SIGKILL');
    await postgres.promote();
  },
};

/** Faults that come once, at the end: after the failover PostgreSQL has no standby any more. */
export const FINAL: readonly Fault[] = [
  { name: 'rolling restart to a version with migrations', run: rollingRestart },
  { name: 'DATA_KEY and SUBGRAPH_SECRET rotated', run: rotateSecrets },
  FAILOVER,
];

/** One fault of each kind of process. */
export const BRIEF: readonly Fault[] = [
  ...ofEachService('SIGKILL').filter(({ name }) => /network|gateway/.test(name)),
  NATS_KILLED,
  FAILOVER,
];
