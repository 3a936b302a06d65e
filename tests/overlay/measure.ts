import { CHANGES, type Scene } from './changes.js';
import { startProbes, type Pair } from './matrix.js';
import { buildWorld, type World } from './namespaces.js';
import { joinMachine, type Member } from './network.js';
import { Observer, type Result } from './observer.js';
import { startPlatform, type Platform } from './platform.js';
import { Undoing } from './processes.js';

const MACHINES = ['alpha', 'beta', 'gamma', 'router'];
/** What the router reaches by its own wire. */
const BEHIND = new Set(['resource', 'gate', 'domain']);
/** On which every machine listens. */
const PORTS = [8080, 9090];

/** Beside other tests the processors are busy, which says nothing of the platform. */
const isTimed = process.argv[2] !== 'untimed';

const say = (line: string) => void process.stdout.write(`${line}\n`);

process.exitCode = (await measureAll()) ? 0 : 1;
process.disconnect?.();

async function measureAll(): Promise<boolean> {
  const undoing = new Undoing();
  // The same signal may come twice, of the terminal and of who forwards it: undoing is done once, whole.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undoing.stop(signal));
  process.on('disconnect', () => undoing.stop('who started it has ended'));
  const faults: string[] = [];
  try {
    const world = await buildWorld(undoing, MACHINES, 'router');
    const results = await measure(undoing, world);
    say('\n| change | pairs | open | equal | seconds |\n| --- | --- | --- | --- | --- |');
    for (const result of results) say(row(result));
    faults.push(...results.flatMap(faultsOf));
  } catch (error) {
    faults.push(undoing.signal.aborted ? `ended by ${undoing.signal.reason.message}` : String(error));
  }
  for (const failure of await undoing.run()) faults.push(`could not ${failure}`);
  for (const fault of faults) say(`red: ${fault}`);
  return faults.length === 0;
}

async function measure(undoing: Undoing, world: World): Promise<Result[]> {
  const platform = await startPlatform(undoing, world.gateway);
  await platform.ask('POST /api/network/provision/');
  await platform.startLighthouse();
  const addresses = new Map<string, string>();
  const scene: Scene = { platform, world, members: new Map(), nodes: new Map(), addresses, ids: new Map() };
  const joined = await joinAll(undoing, platform, world);
  for (const member of joined) {
    scene.members.set(member.machine.name, member);
    scene.nodes.set(member.machine.name, `peer:${member.peer}`);
  }
  for (const { machine, ip } of joined) addresses.set(machine.name, ip);
  addresses.set('resource', world.resource.address);
  addresses.set('gate', world.resource.gate);
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

/** All have ended when this does, also where one fails. */
async function joinAll(undoing: Undoing, platform: Platform, { machines }: World): Promise<Member[]> {
  const joining = [...machines.values()].map((machine) => joinMachine(undoing, platform, machine));
  await Promise.allSettled(joining);
  return Promise.all(joining);
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

function faultsOf({ change, different, seconds, limitMs }: Result): string[] {
  const isLate = isTimed && seconds * 1000 >= limitMs;
  return [
    ...(different.length === 0 ? [] : [`after "${change}" packets do not do as predicted: ${different.join(', ')}`]),
    ...(isLate ? [`"${change}" took ${seconds.toFixed(2)} s to be in force, limit ${limitMs / 1000} s`] : []),
  ];
}
