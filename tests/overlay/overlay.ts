import { access } from 'node:fs/promises';
import { CHANGES, type Scene } from './changes.js';
import { startProbes, type Pair } from './matrix.js';
import { buildWorld, type World } from './namespaces.js';
import { joinMachine } from './network.js';
import { Observer, type Result } from './observer.js';
import { startPlatform } from './platform.js';
import { run, Undoing } from './processes.js';

const MACHINES = ['alpha', 'beta', 'gamma', 'router'];
/** What the router reaches by its own wire. */
const BEHIND = new Set(['resource', 'domain']);
/** On which every machine listens. */
const PORTS = [8080, 9090];

const say = (line: string) => void process.stdout.write(`${line}\n`);

const missing = await whatIsMissing();
if (missing) say(`test:overlay is not run here: ${missing}`);
else process.exitCode = (await measureAll()) ? 0 : 1;

async function whatIsMissing(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it needs root';
  for (const [program, word] of [
    ['nebula', '-version'],
    ['nebula-cert', '-version'],
    ['ip', '-V'],
    ['nft', '--version'],
    ['curl', '--version'],
  ] as const) {
    const isThere = await run(program, word).then(
      () => true,
      () => false,
    );
    if (!isThere) return `there is no ${program}`;
  }
  const hasDevice = await access('/dev/net/tun').then(
    () => true,
    () => false,
  );
  return hasDevice ? undefined : 'there is no /dev/net/tun';
}

async function measureAll(): Promise<boolean> {
  const undoing = new Undoing();
  const stop = () => void undoing.run().then(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  try {
    const world = await buildWorld(undoing, MACHINES, 'router');
    const results = await measure(undoing, world);
    say('\n| change | pairs | open | equal | seconds |\n| --- | --- | --- | --- | --- |');
    for (const result of results) say(row(result));
    return results.every(({ different, seconds, limitMs }) => different.length === 0 && seconds * 1000 < limitMs);
  } finally {
    for (const failure of await undoing.run()) say(`could not ${failure}`);
  }
}

async function measure(undoing: Undoing, world: World): Promise<Result[]> {
  const platform = await startPlatform(undoing, world.gateway);
  await platform.ask('POST /api/network/provision/');
  await platform.startLighthouse();
  const addresses = new Map<string, string>();
  const scene: Scene = { platform, world, members: new Map(), nodes: new Map(), addresses, ids: new Map() };
  const joined = await Promise.all(
    [...world.machines.values()].map((machine) => joinMachine(undoing, platform, machine)),
  );
  for (const member of joined) {
    scene.members.set(member.machine.name, member);
    scene.nodes.set(member.machine.name, `peer:${member.peer}`);
  }
  for (const { machine, ip } of joined) addresses.set(machine.name, ip);
  addresses.set('resource', world.resource.address);
  addresses.set('domain', world.others[0]);
  const probes = await startProbes(undoing, [...world.machines.values(), world.resource], PORTS);
  const observer = new Observer(scene, probes, pairsOf(addresses));
  const results: Result[] = [];
  for (const change of CHANGES) {
    await change.prepare?.(scene);
    const result = await observer.after(change);
    say(row(result));
    results.push(result);
  }
  say(`${observer.checked} certificates verified by nebula-cert, ${observer.checked} configurations by nebula -test`);
  return results;
}

/** Every connection there could be; what the router sees of its own wire is no matter of the overlay. */
function pairsOf(addresses: ReadonlyMap<string, string>): Pair[] {
  const targets = [...addresses.keys()].flatMap((to) => PORTS.map((port) => ({ to, port })));
  return MACHINES.flatMap((from) =>
    targets
      .filter(({ to }) => to !== from && !(from === 'router' && BEHIND.has(to)))
      .map((target) => ({ from, ...target })),
  );
}

function row({ change, pairs, open, different, seconds }: Result): string {
  const isEqual = different.length === 0 ? 'yes' : `no: ${different.join(', ')}`;
  return `| ${change} | ${pairs} | ${open} | ${isEqual} | ${seconds.toFixed(2)} |`;
}
