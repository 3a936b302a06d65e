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

/** Starts PgBouncer with the configuration of docs/operations.md, and a pool of this size. */
export async function startPgBouncer(databaseUrl: string, poolSize: number): Promise<RunningPgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'archipelago-pgbouncer-'));
  const [target, url] = [new URL(databaseUrl), new URL(databaseUrl)];
  url.port = `${await freePort()}`;
  url.pathname = '/archipelago';
  const users = join(folder, 'users');
  await writeFile(users, `"${target.username}" "${decodeURIComponent(target.password)}"\n`, { mode: 0o644 });
  const documented = /```ini\n(.*?)```/s.exec(await readFile(join(packageRoot(), 'docs/operations.md'), 'utf8'))?.[1];
  const configuration = (documented ?? '')
    .replace(
      'host=127.0.0.1 port=5432 dbname=archipelago',
      `host=127.0.0.1 port=${target.port} dbname=${target.pathname.slice(1)}`,
    )
    .replace(/default_pool_size = \d+/, `default_pool_size = ${poolSize}`);
  const own = `listen_addr = 127.0.0.1\nlisten_port = ${url.port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${users}\n`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, configuration + own, { mode: 0o644 });
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
