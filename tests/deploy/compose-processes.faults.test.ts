import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startProcess, type RunningProcess } from '../kit/arrangements.js';
import { commandOf, makeSecrets, onLoopback, ownServices, readCompose, SECRETS_SCRIPT } from '../kit/compose.js';
import { newDatabase } from '../kit/database/own-database.js';
import { call, graphql } from '../kit/platform.js';
import { startS3, type RunningS3 } from '../kit/blobs/s3.js';
import { runToEnd } from '../kit/run.js';

const compose = readCompose();

/** Processes start and compile what they load, six of them at once. */
const START_LIMIT_MS = 120_000;

let folder: string;
let store: RunningS3;
/** Where a port of a container is on this machine: `accounts:4001` → 14711. */
let ports: Map<string, number>;
const running: RunningProcess[] = [];

async function start(name: string, replica: string = name): Promise<{ url: string; env: Record<string, string> }> {
  const service = compose.services[name];
  if (!service) throw new Error(`there is no service ${name}`);
  const place = `${name}:${service.environment?.PORT}`;
  const port = replica === name ? ports.get(place) : await freePort();
  const surroundings = { ports, blobUrl: store.url, secrets: join(folder, 'secrets') };
  // No NATS is here: events go through PostgreSQL.
  const env = { ...onLoopback(service, surroundings, { port, dataDir: join(folder, name) }), EVENTS_URL: '' };
  const command = commandOf(service).map((word) => word.replace(/^dist\//, ''));
  running.push(await startProcess(command, env));
  return { url: `http://127.0.0.1:${port}`, env };
}

/** What the container's health check says. */
async function health(env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<number | null> {
  return (await runToEnd(['../scripts/healthy.js', ...words], env)).code;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archipelago-'));
  store = await startS3();
  await makeSecrets(join(folder, 'secrets'), await newDatabase());
  ports = new Map();
  for (const [name, { environment }] of ownServices(compose))
    ports.set(`${name}:${environment?.PORT}`, await freePort());
});
afterAll(async () => {
  for (const process of running.toReversed()) await process.stop();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the secrets of docker-compose.yml', () => {
  /** The secret of Prometheus is the operator's choice among these files. */
  const FILES = Object.values(compose.secrets)
    .filter(({ file }) => file.startsWith('./deploy/secrets/'))
    .map(({ file }) => file.replace('./deploy/secrets/', ''));

  it('are all made by deploy/secrets.sh', async () => {
    expect((await readdir(join(folder, 'secrets'))).toSorted()).toEqual(FILES.toSorted());
  });

  it('lie in a folder that nobody else enters', async () => {
    expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700);
  });

  it('stay as they are when it is run again', async () => {
    const read = () => Promise.all(FILES.map((name) => readFile(join(folder, 'secrets', name), 'utf8')));
    const before = await read();
    execFileSync('sh', [SECRETS_SCRIPT, join(folder, 'secrets')]);
    expect(await read()).toEqual(before);
  });
});

describe('what docker compose up starts', () => {
  it(
    'is ready on an empty volume, and healthy',
    async () => {
      const { url, env } = await start('platform');
      expect((await call('GET /health/ready', { url })).body).toEqual({ status: 'ready' });
      expect(await health(env)).toBe(0);
      expect(await running.pop()?.stop()).toBe(0);
    },
    START_LIMIT_MS,
  );
});

describe('the cluster', () => {
  const gateways: string[] = [];
  const environments: Record<string, string>[] = [];
  beforeAll(async () => {
    const subgraphs = await Promise.all(['accounts', 'infrastructure', 'network', 'sync'].map((name) => start(name)));
    environments.push(...subgraphs.map(({ env }) => env));
    const replicas = await Promise.all([start('gateway'), start('gateway', 'gateway 2')]);
    gateways.push(...replicas.map(({ url }) => url));
    environments.push(...replicas.map(({ env }) => env));
  }, START_LIMIT_MS);

  it('is ready at each gateway', async () => {
    const answers = await Promise.all(gateways.map((url) => call('GET /health/ready', { url })));
    expect(answers.map(({ body }) => body)).toEqual([{ status: 'ready' }, { status: 'ready' }]);
  });

  it('is healthy in every container', async () => {
    expect(await Promise.all(environments.map((env) => health(env)))).toEqual(environments.map(() => 0));
  });

  it('answers across subgraphs whoever holds the administrator’s token', async () => {
    const token = (await readFile(join(folder, 'secrets/admin_token'), 'utf8')).trim();
    const answers = await Promise.all(
      gateways.map((url) =>
        graphql('{ me { creditBalance { balance } tenant { id } folders { label } } }', { token, url }),
      ),
    );
    expect(answers).toEqual(
      answers.map(() => ({ data: { me: { creditBalance: { balance: '0' }, tenant: null, folders: null } } })),
    );
  });

  it('shows metrics to the token of Prometheus only', async () => {
    const token = (await readFile(join(folder, 'secrets/metrics_token'), 'utf8')).trim();
    const secret = (await readFile(join(folder, 'secrets/subgraph_secret'), 'utf8')).trim();
    const statuses = environments.map(async ({ PORT }) => {
      const url = `http://127.0.0.1:${PORT}`;
      const sent = [{ authorization: `Bearer ${token}` }, { authorization: `Bearer ${secret}` }, {}];
      return Promise.all(sent.map(async (headers) => (await call('GET /metrics', { url, headers })).status));
    });
    expect(await Promise.all(statuses)).toEqual(environments.map(() => [200, 401, 401]));
  });

  it('has a lighthouse that serves its networks', async () => {
    const { env } = await start('lighthouse');
    expect(running.at(-1)?.output()).toContain('ready, from UDP port 4242 up');
    expect(await health(env, 'lighthouse')).toBe(0);
    const longAgo = new Date(Date.now() - 16_000);
    expect(await running.at(-1)?.stop()).toBe(0);
    await utimes(join(env.DATA_DIR ?? '', 'lighthouse/updated'), longAgo, longAgo);
    expect(await health(env, 'lighthouse')).toBe(1);
  });

  it('tells of a subgraph that is gone by an unhealthy gateway', async () => {
    const gone = running.find(({ child }) => child.spawnargs.includes('sync'));
    expect(await gone?.stop()).toBe(0);
    expect((await call('GET /health/ready', { url: gateways[0] ?? '' })).status).toBe(503);
    expect(await health(environments.at(-1) ?? {})).toBe(1);
  });
});
