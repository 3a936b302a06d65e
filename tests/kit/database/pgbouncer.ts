import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import { freePort } from '../arrangements.js';
import { ask, end, until } from '../watch.js';

/** PgBouncer before a database. */
export interface RunningPgBouncer {
  /** For DATABASE_POOL_URL. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Whether PgBouncer is installed. */
export function hasPgBouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starts PgBouncer with the configuration of deploy/kubernetes, for this database, and with a pool of this size. */
export async function startPgBouncer(databaseUrl: string, poolSize: number): Promise<RunningPgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'archipelago-pgbouncer-'));
  const [target, url] = [new URL(databaseUrl), new URL(databaseUrl)];
  url.port = `${await freePort()}`;
  url.pathname = '/archipelago';
  const users = join(folder, 'users');
  await writeFile(users, `"${target.username}" "${decodeURIComponent(target.password)}"\n`, { mode: 0o644 });
  const changes: readonly (readonly [RegExp, string])[] = [
    [/host=\S+ port=\S+ dbname=\S+/, `host=127.0.0.1 port=${target.port} dbname=${target.pathname.slice(1)}`],
    [/(?<=^default_pool_size = ).*/m, `${poolSize}`],
    [/(?<=^listen_addr = ).*/m, '127.0.0.1'],
    [/(?<=^listen_port = ).*/m, url.port],
    [/(?<=^auth_file = ).*/m, users],
  ];
  const deployed = await readFile(join(packageRoot(), 'deploy/kubernetes/components/pgbouncer/pgbouncer.ini'), 'utf8');
  const configuration = changes.reduce((text, [place, value]) => text.replace(place, value), deployed);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, configuration, { mode: 0o644 });
  await chmod(folder, 0o755);
  const user = process.geteuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', [...user, file], { stdio: 'ignore' });
  await until(async () => (await ask(url.href, 'SELECT 1').catch(() => undefined)) === 1);
  const stop = async () => {
    await end(child, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  };
  return { url: url.href, stop };
}
