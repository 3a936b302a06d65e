import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Pair } from './matrix.js';
import { endAll, type Machine } from './namespaces.js';
import type { Platform } from './platform.js';
import { run, until, type Undoing } from './processes.js';

const execute = promisify(execFile);

/** A machine that has joined. */
export interface Member {
  readonly machine: Machine;
  readonly peer: number;
  readonly group: number;
  readonly ip: string;
  /** Where the join script keeps its things. */
  readonly folder: string;
}

/** Makes a group for the machine alone, enrolls it and runs its `join_command` in it, as its user would. */
export async function joinMachine(undoing: Undoing, platform: Platform, machine: Machine): Promise<Member> {
  const { id: group } = await platform.ask('POST /api/network/groups/', { label: machine.name });
  const enrolled = await platform.ask('POST /api/network/peers/enroll/', { vm_label: machine.name, group });
  const folder = await mkdtemp(join(tmpdir(), `archipelago-${machine.name}-`));
  undoing.add(`delete ${folder}`, async () => {
    await endAll(machine.namespace);
    await rm(folder, { recursive: true, force: true });
  });
  const env = { ...process.env, ARCHIPELAGO_DIR: folder };
  const words = ['netns', 'exec', machine.namespace, 'sh', '-c', enrolled.join_command as string];
  await execute('ip', words, { env, timeout: 60_000, signal: undoing.signal }).catch(async (error: unknown) => {
    const log = await readFile(join(folder, 'agent.log'), 'utf8').catch(() => 'no agent.log');
    throw new Error(`${machine.name} did not join: ${String(error)}\n${log}`);
  });
  const { ip } = await platform.ask(`GET /api/network/peers/${enrolled.peer}/`);
  return { machine, peer: enrolled.peer, group, ip, folder };
}

/** Waits until every peer runs what it should. */
export async function allInForce(platform: Platform, members: readonly Member[]): Promise<void> {
  const wanted = new Set(members.map(({ peer }) => peer));
  let shown = '';
  await until(`peers in force, ${shown}`, 60_000, async () => {
    const peers = (await platform.ask('GET /api/network/peers/')) as { id: number; label: string; status: string }[];
    const others = peers.filter(({ id, status }) => wanted.has(id) && status !== 'in_force');
    shown = others.map(({ label, status }) => `${label}: ${status}`).join(', ');
    return others.length === 0 ? true : undefined;
  });
}

/** What the platform says of each pair. @param nodes of the topology, by name */
export async function predict(
  platform: Platform,
  pairs: readonly Pair[],
  nodes: ReadonlyMap<string, string>,
): Promise<Set<Pair>> {
  const known = pairs.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  const open = new Set<Pair>();
  // A document has at most twenty fields at its root.
  for (let start = 0; start < known.length; start += 20) {
    const part = known.slice(start, start + 20);
    const fields = part.map(
      ({ from, to, port }, place) =>
        `p${place}: reachability(from: "${nodes.get(from)}", to: "${nodes.get(to)}", protocol: tcp, port: ${port}) { reachable }`,
    );
    const answer = await platform.query(`{ ${fields.join(' ')} }`);
    for (const [place, pair] of part.entries()) if (answer[`p${place}`].reachable) open.add(pair);
  }
  return open;
}

/** What Debian's own programs say of what the members run. Returns how many certificates and configurations were checked. */
export async function checkWithNebula(members: readonly Member[]): Promise<number> {
  for (const { folder } of members) {
    const text = await readFile(join(folder, 'config.yml'), 'utf8');
    await writeFile(join(folder, 'ca.checked'), block(text, 'ca'));
    await writeFile(join(folder, 'cert.checked'), block(text, 'cert'));
    await run('nebula-cert', 'verify', '-ca', join(folder, 'ca.checked'), '-crt', join(folder, 'cert.checked'));
    await run('nebula', '-test', '-config', join(folder, 'config.yml'));
  }
  return members.length;
}

/** A block of text of the configuration. */
function block(text: string, key: string): string {
  const [, lines = ''] = new RegExp(`^  ${key}: \\|\n((?: {4}.*\n)+)`, 'm').exec(text) ?? [];
  return lines.replaceAll(/^ {4}/gm, '');
}
