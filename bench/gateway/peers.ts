import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { print } from 'graphql';
import { packageRoot } from '../../kernel/package-root.js';
import type { Cleanup } from '../cleanup.js';
import { temporaryFolder } from '../environment.js';
import { startServer, type Server } from '../processes.js';
import { MODULES } from './domain.js';

/** Gateways with packages of their own, which are not installed with the project. */
const FOLDER = join(packageRoot(), 'bench/peers');

/** The environment of every gateway: graphql-js then checks less. */
export const PRODUCTION = { NODE_ENV: 'production' } as const;

/** Tells how to measure these gateways. */
export const PEERS_HINT =
  '`npm run bench -- --peers` also measures Hive Gateway and Grafbase; it installs them in bench/peers, 625 MB.';

/** A gateway beside ours. */
interface Peer {
  readonly name: string;
  readonly server: Server;
}

/** Installs the packages of bench/peers when its lockfile is newer than they are. @throws if npm fails */
export async function installPeers(): Promise<void> {
  if (changedMs('node_modules/.package-lock.json') >= changedMs('package-lock.json')) return;
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawn('npm', words, {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [code] = (await once(npm, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`npm ci failed in ${FOLDER}: it needs the package registry.`);
}

function changedMs(file: string): number {
  return statSync(join(FOLDER, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Starts the peers, each as it is by default and then without sharing: by default a fetch that equals one in flight waits for its
 * answer. Grafbase runs on Linux x64 only.
 */
export async function startPeers(cleanup: Cleanup, supergraph: string, subgraphsUrl: string): Promise<Peer[]> {
  const peers: Peer[] = [];
  const add = async (name: string, command: readonly string[]) =>
    peers.push({ name, server: await startServer(cleanup, command, PRODUCTION) });
  for (const fetches of ['shared', 'own'] as const) {
    const suffix = fetches === 'own' ? ', fetches not shared' : '';
    const hive = '../bench/peers/hive.js';
    await add(`Hive Gateway${suffix}`, [hive, 'js', fetches, supergraph]);
    await add(`Hive Gateway with Rust planner${suffix}`, [hive, 'rust', fetches, supergraph]);
    if (process.platform !== 'linux' || process.arch !== 'x64') continue;
    const folder = await temporaryFolder(cleanup);
    await configureGrafbase(folder, subgraphsUrl, fetches === 'shared');
    await add(`Grafbase${suffix}`, ['../bench/peers/grafbase.js', folder]);
  }
  return peers;
}

/** Writes what Grafbase composes its supergraph of. */
async function configureGrafbase(folder: string, subgraphsUrl: string, shares: boolean): Promise<void> {
  const lines = [`[traffic_shaping]\ninflight_deduplication = ${shares}`];
  for (const [name, { typeDefs }] of Object.entries(MODULES)) {
    await writeFile(join(folder, `${name}.graphql`), print(typeDefs));
    lines.push(`[subgraphs.${name}]\nurl = "${subgraphsUrl}/${name}"\nschema_path = "${name}.graphql"`);
  }
  await writeFile(join(folder, 'grafbase.toml'), lines.join('\n'));
}
