import { beforeEach, describe, expect, it } from '@jest/globals';
import { configurationOf, enrolledMachine, hashOf, report } from '../../../kit/network/network.js';
import { call, graphql, type Json, type Reply } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';
import { tally, twentyAtOnce } from '../../../kit/rest/rest-checks.js';

const ERROR = { error: expect.any(String) };
const DB = 'db.internal.example';

let user: SignedIn;
let network: number;
let group: number;
let router: Json;
let resource: Json;
beforeEach(async () => {
  user = await signInWithNetwork();
  const { body: tenant } = await call('GET /api/network/me/', { token: user.token });
  [network, group] = [tenant.default_network, tenant.default_group];
  router = await enrolledMachine(user, { vm_label: 'router' });
  resource = await addResource(DB);
  await addRouter(router);
});

const send = (target: string, body?: object, { token } = user): Promise<Reply> => call(target, { token, body });
const addResource = async (address: string): Promise<Json> =>
  (await send(`POST /api/network/networks/${network}/resources/`, { name: address, address, groups: [group] })).body;
const addRouter = async ({ peer }: Json): Promise<Json> =>
  (await send(`POST /api/network/networks/${network}/routers/`, { peer })).body;
const applied = async ({ token }: Json): Promise<string> => hashOf(await configurationOf(token));
const find = async (machine: Json, names: unknown): Promise<Reply> =>
  report(machine.token, { applied: await applied(machine), names });
const found = (addresses: unknown, name = DB) => [{ name, addresses }];
const resolving = (text: string) => text.split('\n').filter((line) => line.startsWith('#resolve '));
const revision = async (): Promise<number> =>
  (await graphql('{ topology { revision } }', { token: user.token })).data.topology.revision;
const shown = async (): Promise<Json> => {
  const { data } = await graphql(
    `{ resources(networkId: ${network}) { id enforced addresses }
       topology { nodes { id meta { enforced addresses } } } }`,
    { token: user.token },
  );
  const [{ enforced, addresses }] = data.resources.filter(({ id }: Json) => id === resource.id);
  const node = data.topology.nodes.find(({ id }: Json) => id === `resource:${resource.id}`);
  expect(node.meta).toEqual({ enforced, addresses });
  return { enforced, addresses };
};

describe('the configuration of a router', () => {
  it('asks for the names of its networks, and for none of which nobody knows what they are', async () => {
    await addResource('*.internal.example');
    const other = await enrolledMachine(user);
    const [own, others] = [await configurationOf(router.token), await configurationOf(other.token)];
    expect([resolving(own.text), resolving(others.text)]).toEqual([[`#resolve ${DB}`], []]);
  });

  it('asks for them no more when it is no router any more', async () => {
    const { body } = await send(`GET /api/network/networks/${network}/routers/`);
    await send(`DELETE /api/network/networks/${network}/routers/${body[0].id}/`);
    expect(resolving((await configurationOf(router.token)).text)).toEqual([]);
  });
});

describe('POST /network/report/ with names', () => {
  it('makes a domain enforced, with its addresses', async () => {
    expect(await shown()).toEqual({ enforced: false, addresses: [] });
    const { status, body } = await find(router, found(['10.3.0.8', '10.3.0.7']));
    expect({ status, body }).toEqual({ status: 200, body: { peer: router.peer, status: expect.any(String) } });
    expect(await shown()).toEqual({ enforced: true, addresses: ['10.3.0.7', '10.3.0.8'] });
  });

  it('leads the others there, through a certificate that carries it', async () => {
    const other = await enrolledMachine(user);
    await configurationOf(other.token);
    await find(router, found(['10.3.0.7']));
    const { text } = await configurationOf(router.token);
    expect(text).toMatch(/subnets:\n {4}- "10\.3\.0\.7\/32"/);
    expect((await configurationOf(other.token)).text).toContain(`route: "10.3.0.7/32", via: "${router.ip}"`);
  });

  it('is known to `reachability`', async () => {
    const other = await enrolledMachine(user);
    const document = `{ reachability(from: "peer:${other.peer}", to: "resource:${resource.id}", protocol: tcp, port: 5432) { reachable } }`;
    const ask = async () => (await graphql(document, { token: user.token })).data.reachability.reachable;
    const before = await ask();
    await find(router, found(['10.3.0.7']));
    expect([before, await ask()]).toEqual([false, true]);
  });

  it('grows the revision only where something is new', async () => {
    // The second one says that what the first one led to is in force.
    for (const addresses of [['10.3.0.7'], ['10.3.0.7']]) await find(router, found(addresses));
    const before = await revision();
    await find(router, found(['10.3.0.7']));
    await find(router, found([]));
    await find(router, found(['10.3.0.7', '10.3.0.7']));
    expect(await revision()).toBe(before);
    await find(router, found(['10.3.0.7', '10.3.0.8']));
    expect(await revision()).toBeGreaterThan(before);
  });

  it('lets addresses count for a while that names stand for no more, with no other certificate', async () => {
    await find(router, found(['10.3.0.7', '10.3.0.8']));
    const before = await configurationOf(router.token);
    await find(router, found(['10.3.0.8']));
    expect((await configurationOf(router.token)).text).toBe(before.text);
    expect((await shown()).addresses).toEqual(['10.3.0.7', '10.3.0.8']);
  });

  it('shows nothing of it in REST', async () => {
    await find(router, found(['10.3.0.7']));
    const { text } = await send('GET /api/network/topology/');
    expect(text).not.toMatch(/addresses|10\.3\.0\.7/);
  });

  it('is forgotten with the router, and with another address of the resource', async () => {
    await find(router, found(['10.3.0.7']));
    const { body: routers } = await send(`GET /api/network/networks/${network}/routers/`);
    await send(`DELETE /api/network/networks/${network}/routers/${routers[0].id}/`);
    await addRouter(router);
    expect(await shown()).toEqual({ enforced: false, addresses: [] });
    await find(router, found(['10.3.0.7']));
    const path = `/api/network/networks/${network}/resources/${resource.id}/`;
    await send(`PATCH ${path}`, { address: 'www.internal.example' });
    await send(`PATCH ${path}`, { address: DB });
    expect(await shown()).toEqual({ enforced: false, addresses: [] });
  });

  it('is the same for twenty reports at once', async () => {
    const hash = await applied(router);
    const replies = await twentyAtOnce(() =>
      report(router.token, { applied: hash, names: found(['10.3.0.7', '10.3.0.8']) }),
    );
    expect(tally(replies)).toEqual({ 200: 20 });
    expect((await shown()).addresses).toEqual(['10.3.0.7', '10.3.0.8']);
  });

  it.each([
    ['a name that it was not asked for', () => found(['10.3.0.7'], 'www.internal.example')],
    ['one of its names and one that it was not asked for', () => [...found(['10.3.0.7']), ...found([], 'a.example')]],
    ['a name twice', () => [...found(['10.3.0.7']), ...found(['10.3.0.8'])]],
    ['seventeen addresses', () => found(Array.from({ length: 17 }, (_, i) => `10.3.0.${i}`))],
    ['a loopback address', () => found(['10.3.0.7', '127.0.0.1'])],
    ['a multicast address', () => found(['224.0.0.1'])],
    ['the broadcast address', () => found(['255.255.255.255'])],
    ['a link-local address', () => found(['169.254.169.254'])],
    ['0.0.0.0', () => found(['0.0.0.0'])],
    ['an address of the overlay', () => found([router.ip])],
    ['IPv6', () => found(['2001:db8::7'])],
    ['a CIDR', () => found(['10.3.0.0/24'])],
    ['an address with leading zeros', () => found(['10.3.0.07'])],
    ['words', () => found(['db'])],
    ['no addresses', () => [{ name: DB }]],
    ['what is no list', () => 'db'],
    ['a number', () => found([7])],
  ])('refuses with 400 %s, and keeps nothing', async (_, names) => {
    const { status, body } = await find(router, names());
    expect({ status, body }).toEqual({ status: 400, body: ERROR });
    expect(await shown()).toEqual({ enforced: false, addresses: [] });
  });

  it('refuses with 400 a peer that is no router, as one of another user', async () => {
    const [other, foreign] = [await enrolledMachine(user), await enrolledMachine(await signInWithNetwork())];
    const replies = [await find(other, found(['10.3.0.7'])), await find(foreign, found(['10.3.0.7']))];
    expect(replies.map(({ status }) => status)).toEqual([400, 400]);
    expect((await shown()).enforced).toBe(false);
  });

  it('refuses with 403 a router that speaks for another', async () => {
    const other = await enrolledMachine(user);
    const body = { applied: await applied(router), peer: other.peer, names: found(['10.3.0.7']) };
    expect((await report(router.token, body)).status).toBe(403);
    expect((await shown()).enforced).toBe(false);
  });

  it('refuses with 409 more addresses than a certificate carries, and keeps nothing', async () => {
    const names = await Promise.all(
      Array.from({ length: 16 }, async (_, i) => (await addResource(`n${i}.internal.example`)).address as string),
    );
    const all = names.map((name, i) => ({
      name,
      addresses: Array.from({ length: 16 }, (__, k) => `10.${i}.9.${k}`),
    }));
    const { status, body } = await find(router, [...found(['10.3.0.7']), ...all]);
    expect({ status, body }).toEqual({ status: 409, body: ERROR });
    expect((await shown()).enforced).toBe(false);
  });

  it('does not let a router take what another one leads to', async () => {
    const other = await enrolledMachine(user, { vm_label: 'other' });
    const { body: lan } = await send('POST /api/network/networks/', { name: 'lan' });
    const at = `/api/network/networks/${lan.id}`;
    await send(`POST ${at}/resources/`, { name: 'lan', address: '10.3.0.0/24', groups: [group] });
    await send(`POST ${at}/routers/`, { peer: other.peer });
    await find(router, found(['10.3.0.7']));
    expect(await shown()).toEqual({ enforced: false, addresses: [] });
    expect((await configurationOf(router.token)).text).toContain('subnets: []');
  });
});
