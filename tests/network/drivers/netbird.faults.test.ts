import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { NETBIRD_TOKEN, type NetbirdServer } from '../../kit/network/netbird.js';
import { NetbirdPlatform } from '../../kit/network/netbird-platform.js';
import { join } from '../../kit/network/network.js';
import { codeOf, graphql, type Json } from '../../kit/platform.js';
import { runToEnd } from '../../kit/run.js';
import { until } from '../../kit/watch.js';

let platform: NetbirdPlatform;
let netbird: NetbirdServer;
let prefix: string;
beforeAll(async () => {
  platform = await NetbirdPlatform.start();
  ({ netbird } = platform);
  ({ prefix } = platform.owner);
}, 120_000);
afterEach(() => {
  netbird.mood = 'well';
});
afterAll(() => platform.stop());

const send = (target: string, body?: unknown) => platform.send(target, body);
const enroll = (body?: object) => platform.enroll(body);

describe('a graph', () => {
  it('is made at the server under names of its own', async () => {
    await platform.has('groups', 'all');
    await platform.has('networks', 'default');
    await platform.settled();
    const { id } = netbird.named('groups', `${prefix}all`);
    expect(netbird.list('policies')).toMatchObject([
      {
        name: expect.stringMatching(`^${prefix}\\d+-all-to-all$`),
        enabled: true,
        rules: [
          {
            action: 'accept',
            protocol: 'all',
            bidirectional: true,
            port_ranges: [],
            sources: [{ id }],
            destinations: [{ id }],
          },
        ],
      },
    ]);
  });

  it('is followed in each change, deletions too', async () => {
    const web = (await send('POST /api/network/groups/', { label: 'web' })).body.id;
    const all = (await send('GET /api/network/me/')).body.default_group;
    const made = await send('POST /api/network/policies/', {
      source_group: all,
      dest_group: web,
      protocol: 'tcp',
      ports: ['80', '8000-8100'],
      bidirectional: false,
    });
    const name = `${made.body.id}-all-to-web`;
    await platform.has('policies', name);
    expect(netbird.named('policies', prefix + name).rules[0]).toMatchObject({
      protocol: 'tcp',
      bidirectional: false,
      port_ranges: [
        { start: 80, end: 80 },
        { start: 8000, end: 8100 },
      ],
    });
    await send(`DELETE /api/network/policies/${made.body.id}/`);
    await send(`DELETE /api/network/groups/${web}/`);
    await until(async () => !netbird.named('groups', `${prefix}web`));
    expect(netbird.named('policies', prefix + name)).toBeUndefined();
  });

  it('has its resources and routers in its networks', async () => {
    const { default_group: all, default_network: network } = (await send('GET /api/network/me/')).body;
    const { peer } = (await enroll({ vm_label: 'gateway' })).body;
    const resource = (
      await send(`POST /api/network/networks/${network}/resources/`, {
        name: 'printer',
        address: '192.168.1.5',
        groups: [all],
      })
    ).body.id;
    await send(`POST /api/network/networks/${network}/routers/`, { peer, metric: 7 });
    await platform.has('resources', `${resource}-printer`);
    await until(async () => netbird.list('routers').length === 1);
    const installation = netbird.named('groups', `${prefix}peer:${peer}`);
    expect(netbird.list('routers')).toMatchObject([
      { peer_groups: [installation.id], metric: 7, masquerade: true, enabled: true },
    ]);
    const found = () => netbird.named('resources', `${prefix}${resource}-printer`);
    expect(found()).toMatchObject({ enabled: true, groups: [{ name: `${prefix}all` }] });
    await send(`PATCH /api/network/networks/${network}/resources/${resource}/`, { enabled: false });
    await until(async () => !found().enabled);
  });

  it('has a renamed group under its new name, as the same object', async () => {
    const { id } = (await send('POST /api/network/groups/', { label: 'before' })).body;
    await platform.has('groups', 'before');
    const { id: object } = platform.named('groups', 'before');
    const rename = `mutation { updateGroup(id: ${id}, label: "after") { id } }`;
    await graphql(rename, { token: platform.owner.user.token, url: platform.url });
    await platform.has('groups', 'after');
    expect([platform.named('groups', 'after').id, platform.named('groups', 'before')]).toEqual([object, undefined]);
  });

  it('is sent once: nothing is written while nothing changes', async () => {
    await platform.settled();
    const before = netbird.writes.length;
    await send('POST /api/network/groups/', { label: 'once' });
    await platform.has('groups', 'once');
    await platform.settled();
    expect(netbird.writes.slice(before)).toEqual(['POST groups']);
  });
});

describe('an enrollment', () => {
  it('answers a key of the server’s, once and for 24 hours, and its own command', async () => {
    const { status, body } = await enroll({ vm_label: 'web-1' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        join_command: `netbird up --management-url ${netbird.url} --setup-key ${body.setup_key}`,
        state: 'valid',
      },
    });
    const key = netbird.named('setup-keys', `${prefix}peer:${body.peer}`);
    expect(key).toMatchObject({ type: 'one-off', usage_limit: 1, expires_in: 86_400 });
  });

  it('makes a key with which our own joining lets nobody in', async () => {
    const { setup_key } = (await enroll()).body;
    expect((await join(setup_key, undefined, platform.url)).status).toBe(401);
  });

  it('is used when the machine joined, which then is in the peer’s groups', async () => {
    const web = (await send('POST /api/network/groups/', { label: 'machines' })).body.id;
    const { id, peer, setup_key } = (await enroll({ group: web })).body;
    const machine = netbird.join(setup_key);
    await send(`PATCH /api/network/peers/${peer}/`, {
      groups: [web, (await send('GET /api/network/me/')).body.default_group],
    });
    const membersOf = (label: string): Json[] => netbird.named('groups', prefix + label)?.peers ?? [];
    await until(async () => ['machines', 'all'].every((label) => membersOf(label).some((each) => each.id === machine)));
    expect(await platform.keyOf(id)).toMatchObject({ state: 'used', used_times: 1 });
    await send(`DELETE /api/network/peers/${peer}/`);
    await until(async () => !netbird.kept.peers.has(machine));
  });

  it('takes the key from the server when it is revoked', async () => {
    const { id, peer } = (await enroll()).body;
    await send(`DELETE /api/network/enroll-keys/${id}/`);
    await until(async () => netbird.named('setup-keys', `${prefix}peer:${peer}`) === undefined);
  });

  it('gives the machine of an infra enrollment a key, and takes the one before from the server', async () => {
    const { id, peer } = (await send('POST /api/network/infra/enroll/', { name: 'gateway' })).body;
    await platform.has('groups', `peer:${peer}`);
    await platform.settled();
    const document = `mutation { issueInfraSetupKey(id: ${id}) { setupKey } }`;
    const issue = async () =>
      (await graphql(document, { token: platform.owner.user.token, url: platform.url })).data.issueInfraSetupKey
        .setupKey;
    const [first, second] = [await issue(), await issue()];
    await until(async () => !netbird.list('setup-keys').some(({ key }) => key === first));
    const machine = netbird.join(second);
    expect(netbird.named('groups', `${prefix}peer:${peer}`).peers).toMatchObject([{ id: machine }]);
    await until(async () => (await platform.peer(peer)).status === 'in_force');
    await send(`DELETE /api/network/infra/enrollments/${id}/`);
    await until(async () => !netbird.kept.peers.has(machine));
  });

  it.each(['silent', 'failing', 'losing answers'] as const)(
    'answers 503 while the server is %s, and adds nobody',
    async (mood) => {
      const before = (await send('GET /api/network/peers/')).body;
      netbird.mood = mood;
      const startMs = performance.now();
      const { status, body } = await enroll();
      expect({ status, body }).toEqual({ status: 503, body: { error: expect.any(String) } });
      expect(performance.now() - startMs).toBeLessThan(8_000);
      expect((await send('GET /api/network/peers/')).body).toEqual(before);
    },
  );
});

describe('a server that cannot be reached', () => {
  it('keeps no change of the graph from being made, and has it later', async () => {
    netbird.mood = 'failing';
    const { status } = await send('POST /api/network/groups/', { label: 'patience' });
    expect(status).toBe(201);
    netbird.mood = 'well';
    await platform.has('groups', 'patience');
  });

  it('whose answers are lost has each object once', async () => {
    netbird.mood = 'losing answers';
    await send('POST /api/network/networks/', { name: 'twins' });
    await platform.has('networks', 'twins');
    netbird.mood = 'well';
    await platform.settled();
    expect(netbird.list('networks').filter(({ name }) => name === `${prefix}twins`)).toHaveLength(1);
  });
});

describe('drift', () => {
  it('is found and repaired, and shown to administrators', async () => {
    await send('POST /api/network/groups/', { label: 'drifting' });
    await platform.has('groups', 'drifting');
    await platform.settled();
    const policy = netbird.list('policies').find(({ name }) => name.endsWith('all-to-all'));
    netbird.kept.policies.get(policy.id).rules[0].action = 'drop';
    const gone = netbird.named('groups', `${prefix}drifting`).id;
    netbird.kept.groups.delete(gone);
    const added = netbird.add('networks', { name: `${prefix}strange` });
    const foreign = netbird.add('groups', { name: 'somebody-elses', peers: [] });
    await platform.look();
    await until(async () => (await platform.drifts()).filter(({ repairedAt }) => repairedAt !== null).length >= 3);
    expect(await platform.drifts()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'policy', externalId: policy.id, what: 'changed' }),
        expect.objectContaining({ kind: 'group', externalId: gone, what: 'deleted' }),
        expect.objectContaining({ kind: 'network', externalId: added, what: 'added' }),
      ]),
    );
    expect(netbird.kept.policies.get(policy.id).rules[0].action).toBe('accept');
    expect(netbird.named('groups', `${prefix}drifting`)).toMatchObject({ name: `${prefix}drifting` });
    expect([netbird.kept.networks.has(added), netbird.kept.groups.has(foreign)]).toEqual([false, true]);
  });

  it('is not shown to users', async () => {
    expect(
      codeOf(await graphql('{ networkDrift { id } }', { token: platform.owner.user.token, url: platform.url })),
    ).toBe('FORBIDDEN');
  });
});

describe('a platform that would use NetBird', () => {
  it.each([
    [{ NETBIRD_TOKEN }, 'NETBIRD_URL'],
    [{ NETBIRD_URL: 'https://netbird.example.org' }, 'NETBIRD_TOKEN'],
    [{ NETBIRD_URL: 'https://u:p@netbird.example.org', NETBIRD_TOKEN }, 'NETBIRD_URL'],
  ] as const)('does not start with %j alone', async (env, variable) => {
    const { code, stderr } = await runToEnd(['bundle/platform.js'], { NETWORK_ENGINE: 'netbird', ...env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(variable) });
    expect(stderr).not.toContain(NETBIRD_TOKEN);
  });
});
