import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { ADMIN_TOKEN, freePort, PAYMENTS, PROCESS_ENV, SUBGRAPHS } from '../kit/arrangements.js';
import { S3_KEYS, s3Command, s3Url } from '../kit/blobs/s3.js';
import { until, type Undoing } from '../overlay/processes.js';
import { Node } from './node.js';
import { DATABASE, PostgresPair } from './postgres.js';

const START_LIMIT_MS = 120_000;
const GATEWAYS = 3;

/** A service of several processes behind the proxy. */
interface Service {
  readonly name: string;
  readonly replicas: readonly { readonly node: Node; readonly port: number }[];
}

/** Everything that runs. */
export interface Cluster {
  /** The address of the gateways behind the proxy. */
  readonly url: string;
  /** Each gateway by itself. */
  readonly gatewayUrls: readonly string[];
  readonly services: readonly Service[];
  readonly postgres: PostgresPair;
  /** Runs a statement in the database of the platform. */
  readonly sql: PostgresPair['sql'];
  readonly nats: Node;
  readonly store: Node;
  readonly proxy: Node;
  /** The settings of every process, for commands such as `npm run ledger:prove`. */
  readonly env: Record<string, string>;
  /** The data of the cluster; deleted at the end. */
  readonly folder: string;
}

/** Starts PostgreSQL with a standby, NATS, an S3 store, the proxy, each subgraph twice and the gateway three times. */
export async function startCluster(undoing: Undoing): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'archipelago-cluster-'));
  undoing.add(`delete ${folder}`, () => rm(folder, { recursive: true, force: true }));
  const storePort = await freshPort();
  const objects = join(folder, 's3');
  await mkdir(objects);
  const store = new Node('S3 store', s3Command(objects, storePort), { ...PROCESS_ENV }, undoing);
  store.start();
  const postgres = await PostgresPair.start(folder, undoing);
  const natsPort = await freshPort();
  const nats = new Node('nats', ['nats-server', '-a', '127.0.0.1', '-p', `${natsPort}`], { ...PROCESS_ENV }, undoing);
  nats.start();
  const ports = new Map<string, number>();
  for (const name of ['postgres', 'gateway', ...SUBGRAPHS]) ports.set(name, await freshPort());
  const url = `http://127.0.0.1:${ports.get('gateway')}`;
  const env = {
    ...PROCESS_ENV,
    ...S3_KEYS,
    ...PAYMENTS,
    ADMIN_TOKEN,
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    PUBLIC_URL: url,
    DATABASE_URL: `postgres://archipelago:${postgres.password}@127.0.0.1:${ports.get('postgres')}/${DATABASE}`,
    DATABASE_REPLICA_URL: postgres.urls[1],
    EVENTS_URL: `nats://127.0.0.1:${natsPort}`,
    BLOB_URL: s3Url(storePort),
    DATA_KEY: randomBytes(32).toString('base64'),
    SUBGRAPH_SECRET: randomBytes(24).toString('hex'),
    SUBGRAPHS: SUBGRAPHS.map((name) => `${name}=http://127.0.0.1:${ports.get(name)}`).join(','),
    VERIFICATIONS_PER_MINUTE: '100000',
  };
  const services = await Promise.all([
    ...SUBGRAPHS.map((name) => serviceOf(name, 2, { env, folder, undoing })),
    serviceOf('gateway', GATEWAYS, { env, folder, undoing }),
  ]);
  const configuration = join(folder, 'haproxy.cfg');
  await writeFile(configuration, proxyConfiguration(postgres, ports, services));
  const proxy = new Node('proxy', ['haproxy', '-db', '-f', configuration], { ...PROCESS_ENV }, undoing);
  proxy.start();
  const gatewayUrls = services.at(-1)?.replicas.map(({ port }) => `http://127.0.0.1:${port}`) ?? [];
  const sql = postgres.sql.bind(postgres);
  const cluster = { url, gatewayUrls, services, postgres, sql, nats, store, proxy, env, folder };
  await startServices(cluster);
  return cluster;
}

async function startServices({ services, url }: Cluster): Promise<void> {
  for (const { replicas } of services) {
    for (const { node } of replicas) node.start();
    for (const { node } of replicas) await node.ready(START_LIMIT_MS);
  }
  await until('the gateways behind the proxy', START_LIMIT_MS, async () => {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    return answer?.ok ? true : undefined;
  });
}

/** Runs a command of the platform, such as `ledger:prove`. @throws with what it printed when it fails */
export async function runCommand({ env, folder }: Cluster, name: string): Promise<void> {
  const child = spawn(process.execPath, [join(packageRoot(), 'scripts/run.js'), name], {
    env: { ...env, DATA_DIR: join(folder, 'accounts-1') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${output.trim().slice(-500)}`);
}

/** Ports that are given out, and not used yet. */
const given = new Set<number>();

async function freshPort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

/** The command of a service in a folder of the built project. */
export function commandOf(name: string, root = packageRoot()): readonly string[] {
  const entry = name === 'gateway' ? ['dist/bundle/platform.js'] : ['dist/gateway/entrypoints/subgraph.js', name];
  return [process.execPath, join(root, entry[0] ?? ''), ...entry.slice(1)];
}

async function serviceOf(
  name: string,
  count: number,
  {
    env,
    folder,
    undoing,
  }: { readonly env: Record<string, string>; readonly folder: string; readonly undoing: Undoing },
): Promise<Service> {
  const replicas: { node: Node; port: number }[] = [];
  for (let number = 1; number <= count; number++) {
    const port = await freshPort();
    const dataDir = join(folder, `${name}-${number}`);
    await mkdir(dataDir);
    const own = { ...env, PORT: `${port}`, DATA_DIR: dataDir };
    replicas.push({ node: new Node(`${name} ${number}`, commandOf(name), own, undoing), port });
  }
  return { name, replicas };
}

/** HAProxy: requests go to another process only when none has received them; PostgreSQL to the standby when the primary is gone. */
function proxyConfiguration(
  { addresses: [primary, standby] }: PostgresPair,
  ports: ReadonlyMap<string, number>,
  services: readonly Service[],
): string {
  const web = services.map(
    ({ name, replicas }) => `
listen ${name}
  bind 127.0.0.1:${ports.get(name)}
  mode http
  balance roundrobin
  retries 3
  option redispatch 1
  retry-on conn-failure
  ${name === 'gateway' ? 'option httpchk GET /health/live' : ''}
${replicas.map(({ port }, index) => `  server ${name}${index + 1} 127.0.0.1:${port} check inter 250 fall 2 rise 1`).join('\n')}`,
  );
  return `global
  maxconn 8000
defaults
  timeout connect 2s
  timeout check 3s
  timeout client 1h
  timeout server 1h
  timeout http-request 60s
  timeout queue 5s
listen postgres
  bind 127.0.0.1:${ports.get('postgres')}
  mode tcp
  option tcp-check
  server primary ${primary} check inter 250 fall 2 rise 1 on-marked-down shutdown-sessions on-marked-up shutdown-backup-sessions
  server standby ${standby} check inter 250 fall 2 rise 1 backup
${web.join('\n')}
`;
}
