import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { run, until } from './processes.js';

/** When a run is interrupted: as soon as its output or what it made says so. */
interface Moment {
  readonly name: string;
  readonly hasCome: (output: string, made: readonly string[]) => boolean;
}

const MOMENTS: readonly Moment[] = [
  { name: 'while namespaces are made', hasCome: (_, made) => made.some((each) => each.startsWith('namespace')) },
  { name: 'while machines join', hasCome: (_, made) => made.some((each) => each.endsWith('agent.log')) },
  { name: 'while connections are tried', hasCome: (output) => output.includes('| four machines joined') },
];

/** Milliseconds that undoing may take: a platform that stops has fifteen seconds of its own. */
const UNDOING_MS = 60_000;

/** Interrupts runs as Ctrl-C does, which every process of a terminal's foreground hears, and says what each left. */
export async function findLeftovers(): Promise<string[]> {
  const leftovers: string[] = [];
  for (const moment of MOMENTS) {
    const left = await leftAfter(moment);
    leftovers.push(...left.map((what) => `interrupted ${moment.name}, it left ${what}`));
    process.stdout.write(`interrupted ${moment.name}: ${left.length} things left\n`);
  }
  return leftovers;
}

async function leftAfter({ name, hasCome }: Moment): Promise<readonly string[]> {
  // All that a run makes is below this folder, or has a name that was not there before.
  const folder = await mkdtemp(join(tmpdir(), 'overlay-interrupted-'));
  const before = new Set(await networkNames());
  const made = async () => {
    const names = (await networkNames()).filter((each) => !before.has(each));
    return [...names, ...(await filesIn(folder)), ...(await processesOf(folder))];
  };
  const child = spawn('npm', ['run', '--silent', 'test:overlay', '--', 'measure'], {
    cwd: packageRoot(),
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    await until(`a run ${name}`, 120_000, async () => (hasCome(output, await made()) ? true : undefined));
  } finally {
    interrupt(child);
  }
  const { length: most } = await made();
  await until('less to be left', UNDOING_MS, async () => ((await made()).length < most ? true : undefined)).catch(
    () => undefined,
  );
  // Whoever waits is impatient.
  interrupt(child);
  await until('nothing to be left', UNDOING_MS, async () => ((await made()).length === 0 ? true : undefined)).catch(
    () => undefined,
  );
  const left = await made();
  if (left.length === 0) await rm(folder, { recursive: true, force: true });
  return left;
}

function interrupt({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGINT');
  } catch {
    // All of the group have ended.
  }
}

/** Namespaces, bridges and wires of this test, and files for namespaces. */
async function networkNames(): Promise<string[]> {
  const links = JSON.parse(await run('ip', '-json', 'link', 'show')) as { readonly ifname: string }[];
  const namespaces = (await run('ip', 'netns', 'list')).split('\n').map((line) => line.split(' ')[0] ?? '');
  const folders = await readdir('/etc/netns').catch(() => []);
  return [
    ...links.filter(({ ifname }) => /^ar[bv]/.test(ifname)).map(({ ifname }) => `link ${ifname}`),
    ...namespaces.filter((each) => each.startsWith('ar-')).map((each) => `namespace ${each}`),
    ...folders.filter((each) => each.startsWith('ar-')).map((each) => `/etc/netns/${each}`),
  ];
}

async function filesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  // Of Node itself, for npm.
  return files.filter((file) => !file.startsWith('node-compile-cache')).map((file) => join(folder, file));
}

/** Processes that name the folder in their words or variables, or work in it. */
async function processesOf(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map(async (pid) => ((await isOf(folder, pid)) ? `process ${pid}` : undefined)));
  return found.filter((each) => each !== undefined);
}

async function isOf(folder: string, pid: string): Promise<boolean> {
  const said = await Promise.all([
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
  ]);
  return said.some((text) => text.includes(folder));
}
