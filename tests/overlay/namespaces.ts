import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { run, runIn, until, type Undoing } from './processes.js';

/** A machine: a network namespace with an address on the underlay. */
export interface Machine {
  readonly name: string;
  readonly namespace: string;
}

/** Machines that see each other through a bridge, and one that only the router sees. */
export interface World {
  /** Of the bridge, on which this machine listens. */
  readonly gateway: string;
  readonly machines: ReadonlyMap<string, Machine>;
  /** Without a way back to anyone but the router, which has the address `gate` there. */
  readonly resource: Machine & { readonly address: string; readonly subnet: string; readonly gate: string };
  /** Others that it has. */
  readonly others: readonly [string, string];
  /** Has the router resolve a name so, and no other. */
  readonly name: (name: string, address: string) => Promise<void>;
}

/** Interfaces have names of 15 characters at most. */
interface Ids {
  readonly suffix: string;
  /** The underlay is 10.`octet`.0.0/24, what lies behind the router 10.`octet`.1.0/24. */
  readonly octet: number;
}

/** Makes a namespace for each name, and one behind the machine `router`; all of it is gone after the undoing. */
export async function buildWorld(undoing: Undoing, names: readonly string[], router: string): Promise<World> {
  const ids = { suffix: randomBytes(3).toString('hex'), octet: await freeOctet() };
  const bridge = `arb${ids.suffix}`;
  const gateway = `10.${ids.octet}.0.1`;
  await run('ip', 'link', 'add', bridge, 'type', 'bridge');
  undoing.add(`delete ${bridge}`, () => run('ip', 'link', 'delete', bridge));
  await run('ip', 'address', 'add', `${gateway}/24`, 'dev', bridge);
  await run('ip', 'link', 'set', bridge, 'up');
  const machines = new Map<string, Machine>();
  const hosts = await addHosts(undoing, namespaceOf(ids, router));
  for (const [place, name] of names.entries()) {
    const machine = await addMachine(undoing, ids, name);
    await plugIn(undoing, ids, { machine, bridge, place });
    machines.set(name, machine);
  }
  const resource = await addResource(undoing, ids, machines.get(router));
  const name = (named: string, address: string) => writeFile(hosts, `127.0.0.1 localhost\n${address} ${named}\n`);
  return { gateway, machines, resource, others: othersOf(ids), name };
}

function namespaceOf({ suffix }: Ids, name: string): string {
  return `ar-${suffix}-${name}`;
}

function othersOf({ octet }: Ids): readonly [string, string] {
  return [`10.${octet}.1.3`, `10.${octet}.1.4`];
}

/** A file that a namespace has as its `/etc/hosts`, as `ip netns exec` sees to it. */
async function addHosts(undoing: Undoing, namespace: string): Promise<string> {
  const isNew = await mkdir('/etc/netns').then(
    () => true,
    () => false,
  );
  if (isNew) undoing.add('delete /etc/netns', () => rmdir('/etc/netns'));
  const folder = `/etc/netns/${namespace}`;
  undoing.add(`delete ${folder}`, () => rm(folder, { recursive: true, force: true }));
  await mkdir(folder);
  await writeFile(`${folder}/hosts`, '127.0.0.1 localhost\n');
  return `${folder}/hosts`;
}

async function addMachine(undoing: Undoing, ids: Ids, name: string): Promise<Machine> {
  const namespace = namespaceOf(ids, name);
  await run('ip', 'netns', 'add', namespace);
  undoing.add(`delete ${namespace}`, () => run('ip', 'netns', 'delete', namespace));
  undoing.add(`end what runs in ${namespace}`, () => endAll(namespace));
  await runIn(namespace, 'ip', 'link', 'set', 'lo', 'up');
  return { name, namespace };
}

async function plugIn(
  undoing: Undoing,
  { suffix, octet }: Ids,
  { machine, bridge, place }: { readonly machine: Machine; readonly bridge: string; readonly place: number },
): Promise<void> {
  const cable = `arv${place}${suffix}`;
  await run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', machine.namespace);
  undoing.add(`delete ${cable}`, () => run('ip', 'link', 'delete', cable));
  await run('ip', 'link', 'set', cable, 'master', bridge, 'up');
  await runIn(machine.namespace, 'ip', 'address', 'add', `10.${octet}.0.${place + 11}/24`, 'dev', 'eth0');
  await runIn(machine.namespace, 'ip', 'link', 'set', 'eth0', 'up');
}

async function addResource(undoing: Undoing, ids: Ids, router: Machine | undefined): Promise<World['resource']> {
  if (!router) throw new Error('no machine is the router');
  const machine = await addMachine(undoing, ids, 'resource');
  const net = `10.${ids.octet}.1`;
  const gate = `${net}.1`;
  await runIn(
    router.namespace,
    'ip',
    'link',
    'add',
    'lan0',
    'type',
    'veth',
    'peer',
    'name',
    'eth0',
    'netns',
    machine.namespace,
  );
  for (const [namespace, address, device] of [
    [router.namespace, `${gate}/24`, 'lan0'],
    [machine.namespace, `${net}.2/24`, 'eth0'],
  ] as const) {
    await runIn(namespace, 'ip', 'address', 'add', address, 'dev', device);
    await runIn(namespace, 'ip', 'link', 'set', device, 'up');
  }
  for (const other of othersOf(ids))
    await runIn(machine.namespace, 'ip', 'address', 'add', `${other}/24`, 'dev', 'eth0');
  return { ...machine, address: `${net}.2`, subnet: `${net}.0/24`, gate };
}

/** One of 10.200 to 10.249 that this machine has no route to. */
async function freeOctet(): Promise<number> {
  const routes = await run('ip', 'route', 'show', 'table', 'all');
  const free = Array.from({ length: 50 }, (_, place) => 200 + place).filter(
    (octet) => !routes.includes(`10.${octet}.`),
  );
  const octet = free[randomInt(Math.max(free.length, 1))];
  if (octet === undefined) throw new Error('no network of 10.200.0.0 to 10.249.0.0 is free');
  return octet;
}

/** Ends all that was started in the namespace. @throws where something does not end */
export async function endAll(namespace: string): Promise<void> {
  const what = `the end of what runs in ${namespace}`;
  const pids = async () => (await run('ip', 'netns', 'pids', namespace)).split('\n').filter(Boolean).map(Number);
  for (const pid of await pids()) kill(pid, 'SIGTERM');
  const isEmpty = async () => ((await pids()).length === 0 ? true : undefined);
  if (await until(what, 5_000, isEmpty).catch(() => false)) return;
  await until(what, 5_000, async () => {
    for (const pid of await pids()) kill(pid, 'SIGKILL');
    return isEmpty();
  });
}

function kill(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended since it was listed.
  }
}
