import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from './processes.js';
import type { World } from './namespaces.js';
import type { Member } from './network.js';
import type { Platform } from './platform.js';

/** A network as it is being changed. */
export interface Scene {
  readonly platform: Platform;
  readonly world: World;
  readonly members: Map<string, Member>;
  /** Ids of topology nodes by the names of machines. */
  readonly nodes: Map<string, string>;
  /** Addresses by the names of machines, and of what else is tried. */
  readonly addresses: Map<string, string>;
  /** Ids that later changes name. */
  readonly ids: Map<string, number>;
}

/** Something a user does, in a sentence. */
export interface Change {
  readonly name: string;
  /** What has to be there before, and opens nothing. */
  readonly prepare?: (scene: Scene) => Promise<void>;
  readonly make: (scene: Scene) => Promise<void>;
  /** Milliseconds in which it has to be in force; undefined: as most have. */
  readonly limitMs?: number;
}

/** Milliseconds in which a change has to be in force. */
export const LIMIT_MS = 3_000;

/** Milliseconds in which a name is in force: a router looks every 20 s, and what it found is a change as any other. */
const NAME_LIMIT_MS = 20_000 + LIMIT_MS;

const DOMAIN = 'db.overlay.test';

/** Each is made on what those before it left. */
export const CHANGES: readonly Change[] = [
  { name: 'four machines joined, each in a group of its own', make: async () => undefined },
  {
    name: 'accept alpha → beta, every port of tcp, one way',
    make: (scene) => addPolicy(scene, 'open', ['alpha', 'beta'], { protocol: 'tcp', bidirectional: false }),
  },
  {
    name: 'the same in both directions',
    make: (scene) => changePolicy(scene, 'open', { bidirectional: true }),
  },
  {
    name: 'drop alpha → beta at port 9090',
    make: (scene) =>
      addPolicy(scene, 'drop', ['alpha', 'beta'], {
        protocol: 'tcp',
        ports: ['9090'],
        bidirectional: false,
        action: 'drop',
      }),
  },
  {
    name: 'accept gamma → alpha, ports 8000 to 8100',
    make: (scene) =>
      addPolicy(scene, 'range', ['gamma', 'alpha'], { protocol: 'tcp', ports: ['8000-8100'], bidirectional: false }),
  },
  { name: 'the drop disabled', make: (scene) => changePolicy(scene, 'drop', { enabled: false }) },
  { name: 'gamma and router in the default group', make: joinDefaultGroup },
  {
    name: 'a router with masquerade to a resource that alpha may reach',
    prepare: addResource,
    make: addRouter,
  },
  {
    name: 'drop alpha → the resource at port 8080',
    make: (scene) =>
      addPolicy(scene, 'lan-drop', ['alpha', 'lan'], {
        protocol: 'tcp',
        ports: ['8080'],
        bidirectional: false,
        action: 'drop',
      }),
  },
  {
    name: 'accept beta → the resource at port 8080',
    make: (scene) =>
      addPolicy(scene, 'lan-open', ['beta', 'lan'], { protocol: 'tcp', ports: ['8080'], bidirectional: false }),
  },
  {
    name: 'a domain behind the router that alpha may reach',
    prepare: prepareDomain,
    make: addDomain,
    limitMs: NAME_LIMIT_MS,
  },
  { name: 'the domain at another address', make: moveDomain, limitMs: NAME_LIMIT_MS },
  {
    name: 'drop alpha → the domain at port 9090',
    make: (scene) =>
      addPolicy(scene, 'domain-drop', ['alpha', 'domain'], { protocol: 'tcp', ports: ['9090'], action: 'drop' }),
  },
  { name: 'beta deleted, which goes on with what it had', make: (scene) => deletePeer(scene, 'beta') },
];

type PolicyTerms = Readonly<Record<string, unknown>>;

async function addPolicy(
  scene: Scene,
  name: string,
  [from, to]: readonly [string, string],
  terms: PolicyTerms,
): Promise<void> {
  const groups = { source_group: groupOf(scene, from), dest_group: groupOf(scene, to) };
  const { id } = await scene.platform.ask('POST /api/network/policies/', { name, ...groups, ...terms });
  scene.ids.set(name, id);
}

async function changePolicy({ platform, ids }: Scene, name: string, terms: PolicyTerms): Promise<void> {
  await platform.ask(`PATCH /api/network/policies/${ids.get(name)}/`, terms);
}

function groupOf({ members, ids }: Scene, name: string): number | undefined {
  return members.get(name)?.group ?? ids.get(name);
}

/** The managed policy opens everything between those who are in it. */
async function joinDefaultGroup({ platform, members }: Scene): Promise<void> {
  const { default_group: group } = await platform.ask('GET /api/network/me/');
  for (const name of ['gamma', 'router']) {
    await platform.ask(`POST /api/network/groups/${group}/members/`, { peer: members.get(name)?.peer, action: 'add' });
  }
}

async function addResource(scene: Scene): Promise<void> {
  const { platform, ids, nodes, world } = scene;
  const { id: group } = await platform.ask('POST /api/network/groups/', { label: 'lan' });
  const { id: network } = await platform.ask('POST /api/network/networks/', { name: 'lan' });
  // The router's own address there is a resource as any other.
  for (const [name, address] of [
    ['resource', world.resource.address],
    ['gate', world.resource.gate],
  ] as const) {
    const resource = { name, address, groups: [group] };
    const { id } = await platform.ask(`POST /api/network/networks/${network}/resources/`, resource);
    nodes.set(name, `resource:${id}`);
  }
  ids.set('lan', group);
  ids.set('lan-network', network);
  await addPolicy(scene, 'lan-alpha', ['alpha', 'lan'], { protocol: 'tcp', bidirectional: false });
}

async function addRouter({ platform, members, ids }: Scene): Promise<void> {
  const router = { peer: members.get('router')?.peer, masquerade: true, metric: 100 };
  await platform.ask(`POST /api/network/networks/${ids.get('lan-network')}/routers/`, router);
}

async function prepareDomain(scene: Scene): Promise<void> {
  const { id } = await scene.platform.ask('POST /api/network/groups/', { label: 'domain' });
  scene.ids.set('domain', id);
  await scene.world.name(DOMAIN, scene.world.others[0]);
  await addPolicy(scene, 'domain-alpha', ['alpha', 'domain'], { protocol: 'tcp', bidirectional: false });
}

async function addDomain(scene: Scene): Promise<void> {
  const { platform, ids, nodes, world } = scene;
  const resource = { name: 'domain', address: DOMAIN, groups: [ids.get('domain')] };
  const { id } = await platform.ask(`POST /api/network/networks/${ids.get('lan-network')}/resources/`, resource);
  nodes.set('domain', `resource:${id}`);
  await isFound(scene, world.others[0]);
}

/** Until the router has looked at the name, what is at the other address is out of reach. */
async function moveDomain(scene: Scene): Promise<void> {
  const { world, addresses } = scene;
  await world.name(DOMAIN, world.others[1]);
  await isFound(scene, world.others[1]);
  addresses.set('domain', world.others[1]);
}

async function isFound({ platform, nodes }: Scene, address: string): Promise<void> {
  await until(`the router to find ${address}`, NAME_LIMIT_MS, async () => {
    const { topology } = await platform.query('{ topology { nodes { id meta { addresses } } } }');
    const shown = topology.nodes as { id: string; meta: { addresses: string[] | null } }[];
    const domain = shown.find(({ id }) => id === nodes.get('domain'));
    return domain?.meta.addresses?.includes(address) ? true : undefined;
  });
}

/** Its agent cannot take anything back any more: the others have to keep it out. */
async function deletePeer({ platform, members, nodes }: Scene, name: string): Promise<void> {
  const member = members.get(name);
  if (!member) throw new Error(`${name} has not joined`);
  process.kill(Number(await readFile(join(member.folder, 'agent.pid'), 'utf8')), 'SIGKILL');
  await platform.ask(`DELETE /api/network/peers/${member.peer}/`);
  members.delete(name);
  nodes.delete(name);
}
