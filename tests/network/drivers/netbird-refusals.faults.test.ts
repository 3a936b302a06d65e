import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { NETBIRD_TOKEN, type NetbirdServer } from '../../kit/network/netbird.js';
import { NetbirdPlatform, type Owner } from '../../kit/network/netbird-platform.js';
import type { Json } from '../../kit/platform.js';
import { until } from '../../kit/watch.js';

let platform: NetbirdPlatform;
let netbird: NetbirdServer;
let all: number;
let network: number;
beforeAll(async () => {
  platform = await NetbirdPlatform.start({ NETBIRD_PREFIX: 'acme', LOG_LEVEL: 'debug' });
  ({ netbird } = platform);
  ({ default_group: all, default_network: network } = (await platform.send('GET /api/network/me/')).body);
}, 120_000);
afterEach(() => {
  netbird.mood = 'well';
  netbird.indigestible = undefined;
  netbird.afterWrite = () => Promise.resolve();
});
afterAll(() => platform.stop());

const membersOf = (label: string): string[] => (platform.named('groups', label)?.peers ?? []).map(({ id }: Json) => id);
const newGroup = async (label: string, owner?: Owner): Promise<number> =>
  (await platform.send('POST /api/network/groups/', { label }, owner)).body.id;
/** Enrolls a machine that joins. */
async function joined(body?: object): Promise<{ readonly peer: number; readonly machine: string }> {
  const { peer, setup_key } = (await platform.enroll(body)).body;
  const machine = netbird.join(setup_key);
  await platform.look();
  await until(async () => (await platform.peer(peer)).status === 'in_force');
  return { peer, machine };
}

describe('an object that the server cannot digest', () => {
  it('keeps neither others of its tenant nor other tenants from being served', async () => {
    const other = await platform.newOwner();
    netbird.indigestible = 'bad-printer';
    const resource = (name: string, owner?: Owner) =>
      platform.send(
        `POST /api/network/networks/${network}/resources/`,
        { name, address: '192.168.9.9', groups: [all] },
        owner,
      );
    const bad = (await resource('bad-printer')).body.id;
    const good = (await resource('good-printer')).body.id;
    await newGroup('after');
    await newGroup('elsewhere', other);
    await platform.has('resources', `${good}-good-printer`);
    await platform.has('groups', 'after');
    await platform.has('groups', 'elsewhere', other);
    expect(platform.named('resources', `${bad}-bad-printer`)).toBeUndefined();
    await platform.send(`DELETE /api/network/networks/${network}/resources/${bad}/`);
    await platform.settled();
  });
});

describe('a server that is busy', () => {
  it('is left alone for as long as it asks, and has every change later', async () => {
    netbird.mood = 'busy';
    await newGroup('soon');
    expect((await platform.enroll()).status).toBe(503);
    netbird.mood = 'well';
    await platform.has('groups', 'soon');
  });
});

describe('a machine', () => {
  it('shows the address and the state that it has at the server', async () => {
    const { peer, machine } = await joined({ vm_label: 'shown' });
    const { ip }: Json = netbird.kept.peers.get(machine);
    expect(await platform.peer(peer)).toMatchObject({ ip, last_seen: expect.any(String) });
    await platform.settled();
    await until(async () => (await platform.peer(peer)).status === 'in_force');
    netbird.afterWrite = () => until(async () => (await platform.peer(peer)).status === 'applying', 4_000);
    await newGroup('another');
    await platform.settled();
    netbird.afterWrite = () => Promise.resolve();
    await until(async () => (await platform.peer(peer)).status === 'in_force');
  });

  it('gets its address from a peer that has not joined', async () => {
    const { peer: waiting } = (await platform.enroll()).body;
    const { ip } = await platform.peer(waiting);
    const { peer, setup_key } = (await platform.enroll()).body;
    const machine = netbird.join(setup_key);
    Object.assign(netbird.kept.peers.get(machine), { ip });
    await platform.look();
    await until(async () => (await platform.peer(peer)).ip === ip);
    expect((await platform.peer(waiting)).ip).not.toBe(ip);
  });

  it('that somebody deletes at the server is found, and out of its groups', async () => {
    const group = await newGroup('orphans');
    const { peer, machine } = await joined({ group });
    await until(async () => membersOf('orphans').includes(machine));
    netbird.kept.peers.delete(machine);
    await platform.look();
    await until(async () =>
      (await platform.drifts()).some(({ kind, externalId }) => kind === 'machine' && externalId === machine),
    );
    await platform.send(`PATCH /api/network/peers/${peer}/`, { groups: [group, all] });
    await platform.settled();
    await until(async () => (await platform.drifts()).every(({ repairedAt }) => repairedAt !== null));
    expect(membersOf(`peer:${peer}`)).toEqual([]);
  });

  it('is out of the network first when its peer is deleted', async () => {
    const { peer, machine } = await joined();
    await platform.settled();
    const before = netbird.writes.length;
    await platform.send(`DELETE /api/network/peers/${peer}/`);
    await until(async () => !netbird.kept.peers.has(machine));
    await platform.settled();
    // Its key, which was used, may go at any time.
    const writes = netbird.writes.slice(before).filter((write) => write !== 'DELETE setup-keys');
    expect(writes[0]).toBe('DELETE peers');
    expect(platform.named('groups', `peer:${peer}`)).toBeUndefined();
  });
});

describe('a setup key', () => {
  it('follows the peer’s groups until it is used', async () => {
    const [before, after] = [await newGroup('before'), await newGroup('after-it')];
    const { peer, setup_key } = (await platform.enroll({ group: before })).body;
    await platform.send(`PATCH /api/network/peers/${peer}/`, { groups: [after] });
    const own = () => platform.named('groups', `peer:${peer}`)?.id;
    await until(async () => {
      const groups: string[] = platform.named('setup-keys', `peer:${peer}`)?.auto_groups ?? [];
      return groups.length === 2 && groups.includes(own()) && groups.includes(platform.named('groups', 'after-it')?.id);
    });
    expect(membersOf('after-it')).toEqual([]);
    expect(membersOf('before')).not.toContain(netbird.join(setup_key));
  });

  it.each(['deleted', 'revoked'] as const)('that somebody %s at the server is revoked here', async (how) => {
    const { id, peer } = (await platform.enroll()).body;
    await platform.settled();
    const key = platform.named('setup-keys', `peer:${peer}`).id;
    if (how === 'deleted') netbird.kept['setup-keys'].delete(key);
    else Object.assign(netbird.kept['setup-keys'].get(key), { revoked: true });
    await platform.look();
    await until(async () => (await platform.keyOf(id)).state === 'revoked');
  });

  it('is not made when the enrollment is refused, and nothing of it stays', async () => {
    const label = 'x'.repeat(100);
    const groups = netbird.list('groups').length;
    expect((await platform.enroll({ vm_label: `${label}x` })).status).toBe(400);
    expect((await platform.enroll({ group: 999_999 })).status).toBe(400);
    expect(netbird.list('groups').length).toBe(groups);
  });
});

describe('a server that lets all machines reach one another', () => {
  let fresh: NetbirdPlatform;
  beforeAll(async () => {
    fresh = await NetbirdPlatform.start();
  }, 120_000);
  afterAll(() => fresh.stop());

  it('makes no key until its policy is disabled, which is left to its operator', async () => {
    const rule = { enabled: true, action: 'accept', bidirectional: true, protocol: 'all' };
    const ends = { sources: [fresh.netbird.everybody], destinations: [fresh.netbird.everybody] };
    const policy = fresh.netbird.add('policies', { name: 'Default', enabled: true, rules: [{ ...rule, ...ends }] });
    expect((await fresh.enroll()).status).toBe(503);
    await until(async () => fresh.output.includes('"policies":["Default"]'));
    expect((await fresh.send('GET /api/network/peers/')).body).toEqual([]);
    Object.assign(fresh.netbird.kept.policies.get(policy), { enabled: false });
    expect((await fresh.enroll()).status).toBe(201);
    expect(fresh.netbird.kept.policies.has(policy)).toBe(true);
  });
});

describe('objects of others', () => {
  it('are never touched, whatever they are called', async () => {
    const names = ['arp-1-all', 'acme', 'acme-', 'acme-999999-all', 'acme-x-all', `x${platform.owner.prefix}all`];
    const ids = names.map((name) => netbird.add('groups', { name, peers: [] }));
    const inside = netbird.add('networks', { name: 'arp-1-default' });
    await platform.look();
    await newGroup('meanwhile');
    await platform.has('groups', 'meanwhile');
    await platform.settled();
    expect(ids.every((id) => netbird.kept.groups.has(id)) && netbird.kept.networks.has(inside)).toBe(true);
  });
});

describe('secrets', () => {
  it('are in no line of the log', async () => {
    netbird.mood = 'failing';
    await platform.enroll();
    netbird.mood = 'well';
    const { setup_key } = (await platform.enroll()).body;
    await platform.settled();
    await until(() => Promise.resolve(platform.output.includes('NetBird')));
    for (const secret of [NETBIRD_TOKEN, setup_key]) expect(platform.output).not.toContain(secret);
  });
});
