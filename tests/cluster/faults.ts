import { randomBytes } from 'node:crypto';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { pause } from './client.js';
import { commandOf, runCommand, type Cluster } from './topology.js';
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
      if (replica) await restart(replica.node, signal);
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

/** A copy of the built project that has one more migration in each subgraph. */
async function nextVersion({ folder }: Cluster): Promise<string> {
  const root = join(folder, 'next');
  await mkdir(root);
  for (const name of ['dist', 'gateway', 'kernel', 'subgraphs', 'schema', 'dashboard', 'package.json']) {
    await cp(join(packageRoot(), name), join(root, name), { recursive: true });
  }
  await symlink(join(packageRoot(), 'node_modules'), join(root, 'node_modules'));
  for (const name of ['accounts', 'infrastructure', 'network', 'sync']) {
    const text = `CREATE TABLE ${name}.next_version (id integer PRIMARY KEY);\n`;
    await writeFile(join(root, 'subgraphs', name, 'migrations', '20991231000000_next_version.sql'), text);
  }
  return root;
}

/** Every process, one after another, is stopped and started with the next version. */
async function rollingRestart(cluster: Cluster): Promise<void> {
  const root = await nextVersion(cluster);
  for (const { name, replicas } of cluster.services) {
    for (const { node } of replicas) await restart(node, 'SIGTERM', commandOf(name, root));
  }
}

/** Two secrets are replaced in the three steps of SECURITY.md; each step restarts every process, one after another. */
async function rotateSecrets(cluster: Cluster): Promise<void> {
  const { DATA_KEY: key = '', SUBGRAPH_SECRET: secret = '' } = cluster.env;
  const newKey = randomBytes(32).toString('base64');
  const newSecret = randomBytes(24).toString('hex');
  await restartWith(cluster, { DATA_KEY: `${key},${newKey}`, SUBGRAPH_SECRET: `${secret},${newSecret}` });
  await restartWith(cluster, { DATA_KEY: `${newKey},${key}`, SUBGRAPH_SECRET: `${newSecret},${secret}` });
  await runCommand(cluster, 'secrets:reseal');
  await restartWith(cluster, { DATA_KEY: newKey, SUBGRAPH_SECRET: newSecret });
}

async function restartWith(cluster: Cluster, variables: Readonly<Record<string, string>>): Promise<void> {
  Object.assign(cluster.env, variables);
  for (const { replicas } of cluster.services) {
    for (const { node } of replicas) {
      node.setVariables(variables);
      await restart(node, 'SIGTERM');
    }
  }
}

/** No fault: what the other lines are compared with. */
export const NO_FAULT: Fault = { name: 'none, for 5 s', run: () => pause(5_000) };

/** Kills a process, and starts it again at once. */
async function kill(node: Node): Promise<void> {
  await node.end('SIGKILL');
  node.start();
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
  { name: 'every connection cut by the proxy', run: ({ proxy }) => kill(proxy) },
  { name: 'every connection stalled for 3 s', lastsMs: STALL_MS, run: ({ proxy }) => stall(proxy) },
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
    run: async ({ postgres }) => {
      await postgres.primary.end('SIGQUIT');
      postgres.primary.start();
      await postgres.answering(0);
    },
  },
  {
    // Each commit waits for the standby, so changes pause until it is back; reads of the replica go to the primary.
    name: 'the standby of PostgreSQL killed and started again',
    run: async ({ postgres }) => {
      await postgres.standby.end('SIGQUIT');
      postgres.standby.start();
      await postgres.answering(1);
    },
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
