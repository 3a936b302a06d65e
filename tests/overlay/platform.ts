import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { startProcess, until, type LongProcess, type Undoing } from './processes.js';

const ADMIN_TOKEN = 'the-admin-token-of-the-overlay';

/** JSON of which the caller knows the shape. */
type Json = ReturnType<typeof JSON.parse>;

/** A platform with its lighthouse, and one user on it. */
export interface Platform {
  /** Sends a request as the user. @param target method and path @throws with the answer where it is a refusal */
  ask(target: string, body?: object): Promise<Json>;
  /** Queries or changes by GraphQL. */
  query(document: string): Promise<Json>;
  /** Starts the lighthouse; after there is a network to be seen. */
  startLighthouse(): Promise<void>;
}

/** Starts a platform of its own on an address that machines reach. */
export async function startPlatform(undoing: Undoing, host: string): Promise<Platform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-overlay-'));
  undoing.add(`delete ${dataDir}`, () => rm(dataDir, { recursive: true, force: true }));
  const url = `http://${host}:${await freePort(host)}`;
  const env = {
    DATA_DIR: dataDir,
    HOST: host,
    PORT: new URL(url).port,
    PUBLIC_URL: url,
    ADMIN_TOKEN,
    LIGHTHOUSE_PORT: `${await freeUdpPort(host)}`,
    PAYPROC: 'off',
    LOG_LEVEL: 'warn',
  };
  const server = start(undoing, 'start', env);
  await until('the platform', 60_000, async () => {
    undoing.signal.throwIfAborted();
    if (server.child.exitCode !== null) throw new Error(server.output());
    return (await fetch(`${url}/health/ready`).catch(() => undefined))?.ok ? true : undefined;
  });
  const { signal } = undoing;
  const ask = async (target: string, body?: object): Promise<Json> => {
    const [method = 'GET', path = '/'] = target.split(' ');
    const response = await fetch(url + path, {
      method,
      signal,
      headers: { authorization: `Token ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${target}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    ask,
    async query(document) {
      const { data, errors } = await ask('POST /graphql', { query: document });
      if (errors) throw new Error(`${document}: ${JSON.stringify(errors)}`);
      return data;
    },
    async startLighthouse() {
      start(undoing, 'lighthouse', env);
    },
  };
}

function start(undoing: Undoing, entry: string, env: Readonly<Record<string, string>>): LongProcess {
  return startProcess(undoing, [process.execPath, join(packageRoot(), 'scripts/run.js'), entry], env);
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

async function freeUdpPort(host: string): Promise<number> {
  const socket = createSocket('udp4').bind(0, host);
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}
