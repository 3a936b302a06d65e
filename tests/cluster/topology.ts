import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { ADMIN_TOKEN, freePort, PROCESS_ENV, SUBGRAPHS } from '../kit/arrangements.js';
import { s3Command, s3Url } from '../kit/blobs/s3.js';
import {
  commandOf,
  makeSecrets,
  onLoopback,
  readCompose,
  type ComposeFile,
  type Surroundings,
} from '../kit/compose.js';
import { spawnPiped, toEnd } from '../kit/run.js';
import { until, type Undoing } from '../overlay/processes.js';
import { Node } from './node.js';
import { PostgresPair } from './postgres.js';
import { balancerConfiguration, innerConfiguration, type Balanced } from './proxies.js';

const START_LIMIT_MS = 120_000;
/** The processes of each subgraph, and of the gateway. */
const [REPLICAS, GATEWAYS] = [2, 3];

/** A service of several processes behind a proxy. */
interface Service extends Balanced {
  readonly replicas: readonly Node[];
}

/** Everything that runs. */
export interface Cluster {
  /** The address of the gateways behind the balancer. */
  readonly url: string;
  /** Each gateway by itself. */
  readonly gatewayUrls: readonly string[];
  readonly services: readonly Service[];
  readonly postgres: PostgresPair;
  readonly nats: Node;
  readonly store: Node;
  /** Before the gateways. */
  readonly balancer: Node;
  /** Before subgraphs and PostgreSQL. */
  readonly proxy: Node;
  /** The settings of accounts, for commands such as `npm run ledger:prove`. */
  readonly env: Readonly<Record<string, string>>;
  /** The data of the cluster; deleted at the end. */
  readonly folder: string;
  /** The folder of the files of secrets. */
  readonly secrets: string;
}

/** Starts PostgreSQL with a standby, NATS, an S3 store, the proxies, each subgraph twice and the gateway three times. */
export async function startCluster(undoing: Undoing): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'archipelago-cluster-'));
  undoing.add(`delete ${folder}`, () => rm(folder, { recursive: true, force: true }));
  const start = (name: string, command: readonly string[]) => Node.started(name, command, PROCESS_ENV, undoing);
  const [storePort, natsPort, postgresPort] = [await freshPort(), await freshPort(), await freshPort()];
  await mkdir(join(folder, 's3'));
  const store = start('S3 store', s3Command(join(folder, 's3'), storePort));
  const nats = start('nats', ['nats-server', '-a', '127.0.0.1', '-p', `${natsPort}`]);
  const postgres = await PostgresPair.start(folder, undoing);
  const secrets = join(folder, 'secrets');
  const [databaseUrl, replicaUrl] = postgres.urls;
  await makeSecrets(secrets, Object.assign(new URL(databaseUrl), { port: `${postgresPort}` }).href);
  await writeFile(join(secrets, 'admin_token'), ADMIN_TOKEN);
  const gatewayPort = await freshPort();
  const url = `http://127.0.0.1:${gatewayPort}`;
  const compose = readCompose({ PUBLIC_URL: url, LOG_LEVEL: 'warn' });
  const ports = new Map([['nats:4222', natsPort]]);
  for (const name of SUBGRAPHS) ports.set(`${name}:${compose.services[name]?.environment?.PORT}`, await freshPort());
  const surroundings = { ports, blobUrl: s3Url(storePort), secrets };
  // All clients have one address.
  const more = { DATABASE_REPLICA_URL: replicaUrl, VERIFICATIONS_PER_MINUTE: '100000' };
  const making = { compose, surroundings, more, folder, undoing };
  const subgraphs = await Promise.all(SUBGRAPHS.map((name) => serviceOf(name, REPLICAS, making)));
  const gateway = { ...(await serviceOf('gateway', GATEWAYS, making)), port: gatewayPort };
  const haproxy = async (name: string, configuration: string) => {
    const file = join(folder, `${name}.cfg`);
    await writeFile(file, configuration);
    return start(name, ['haproxy', '-db', '-f', file]);
  };
  const cluster = {
    url,
    gatewayUrls: gateway.servers.map((port) => `http://127.0.0.1:${port}`),
    services: [...subgraphs, gateway],
    postgres,
    nats,
    store,
    balancer: await haproxy(
      'balancer',
      balancerConfiguration(gateway, await freshPort(), join(folder, 'balancer.sock')),
    ),
    proxy: await haproxy('proxy', innerConfiguration(postgresPort, postgres.addresses, subgraphs)),
    env: environmentOf('accounts', 1, undefined, making),
    folder,
    secrets,
  };
  await startServices(cluster);
  return cluster;
}

async function startServices({ services, url }: Cluster): Promise<void> {
  for (const { replicas } of services) {
    for (const node of replicas) node.start();
    for (const node of replicas) await node.ready(START_LIMIT_MS);
  }
  await until('the gateways behind the balancer', START_LIMIT_MS, async () => {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
    return answer?.ok ? true : undefined;
  });
}

/** Runs an entry of the image such as `ledger:prove`, with the settings of accounts. @throws with what it printed when it fails */
export async function runEntry({ env }: Cluster, entry: string, root = packageRoot()): Promise<void> {
  const { code, stdout, stderr } = await toEnd(spawnPiped([process.execPath, join(root, entry)], env));
  if (code !== 0) throw new Error(`${entry} ended with ${code}: ${(stdout + stderr).trim().slice(-500)}`);
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

/** The command of docker-compose.yml for a service, in a folder of the built project. */
export function commandIn(root: string, name: string, { services } = readCompose()): readonly string[] {
  const service = services[name];
  if (!service) throw new Error(`there is no service ${name}`);
  const [entry = '', ...words] = commandOf(service);
  return [process.execPath, join(root, entry), ...words];
}

interface Making {
  readonly compose: ComposeFile;
  readonly surroundings: Surroundings;
  /** Variables of subgraphs beside those of docker-compose.yml. */
  readonly more: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly undoing: Undoing;
}

function environmentOf(name: string, number: number, port: number | undefined, making: Making): Record<string, string> {
  const { compose, surroundings, more, folder } = making;
  const service = compose.services[name];
  if (!service) throw new Error(`there is no service ${name}`);
  const dataDir = join(folder, `${name}-${number}`);
  return { ...PROCESS_ENV, ...onLoopback(service, surroundings, { port, dataDir }), ...(name !== 'gateway' && more) };
}

async function serviceOf(name: string, count: number, making: Making): Promise<Service> {
  const servers: number[] = [];
  const replicas: Node[] = [];
  for (let number = 1; number <= count; number++) {
    const port = await freshPort();
    const env = environmentOf(name, number, port, making);
    await mkdir(env.DATA_DIR ?? '');
    servers.push(port);
    replicas.push(new Node(`${name} ${number}`, commandIn(packageRoot(), name), env, making.undoing));
  }
  const place = `${name}:${making.compose.services[name]?.environment?.PORT}`;
  return { name, port: making.surroundings.ports.get(place) ?? 0, servers, replicas };
}
