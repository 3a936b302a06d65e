import { beforeAll, describe, expect, it } from '@jest/globals';
import { groupOf, networkOf, peerOf } from '../../kit/network/graph.js';
import { enrolledMachine } from '../../kit/network/network.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

let user: SignedIn;
let web: number;
let db: number;
let policy: number;
let peers: { web: number; db: number; router: number; foreign: number };
let resource: number;

beforeAll(async () => {
  const other = await signInWithNetwork();
  user = await signInWithNetwork();
  const { token } = user;
  [web, db] = [await groupOf(user, 'web'), await groupOf(user, 'db')];
  const edge = await groupOf(user, 'edge');
  peers = {
    web: await peerOf(user, { group: web }),
    db: await peerOf(user, { group: db }),
    router: (await enrolledMachine(user, { group: edge })).peer,
    foreign: await peerOf(other),
  };
  const network = await networkOf(user, 'office');
  const path = `/api/network/networks/${network}`;
  const lan = { name: 'lan', address: '10.0.0.0/8', groups: [db] };
  resource = (await call(`POST ${path}/resources/`, { token, body: lan })).body.id;
  await call(`POST ${path}/routers/`, { token, body: { peer: peers.router } });
  const body = { source_group: web, dest_group: db, protocol: 'tcp', ports: ['80'], bidirectional: false };
  policy = (await call('POST /api/network/policies/', { token, body })).body.id;
});

const ask = (from: string, to: string, terms = 'protocol: tcp, port: 80', { token } = user): Promise<Json> =>
  graphql(
    `query ($from: String!, $to: String!) { reachability(from: $from, to: $to, ${terms}) { reachable policy { id name } reason } }`,
    { token, variables: { from, to } },
  );

describe('reachability', () => {
  it('is yes by the policy that opens it', async () => {
    const { data } = await ask(`peer:${peers.web}`, `peer:${peers.db}`);
    expect(data.reachability).toMatchObject({ reachable: true, policy: { id: policy, name: 'web-to-db' } });
  });

  it('is no the other way, at another port, and for everything', async () => {
    const [there, back] = [`peer:${peers.web}`, `peer:${peers.db}`];
    const answers = [
      await ask(back, there),
      await ask(there, back, 'protocol: tcp, port: 81'),
      await ask(there, back, 'protocol: all'),
    ];
    expect(answers.map(({ data }) => data.reachability.reachable)).toEqual([false, false, false]);
  });

  it('is yes for a resource behind a router', async () => {
    const { data } = await ask(`peer:${peers.web}`, `resource:${resource}`);
    expect(data.reachability).toMatchObject({ reachable: true, policy: { id: policy } });
  });

  it.each(['peer:2147483647', 'group:1', 'peer:x', '', 'peer:99999999999999999999'])(
    'refuses %j as no node of the caller',
    async (node) => {
      expect(codeOf(await ask(node, `peer:${peers.db}`))).toBe('BAD_REQUEST');
    },
  );

  it('says the same of the nodes of others as of none', async () => {
    const [foreign, none] = [
      await ask(`peer:${peers.web}`, `peer:${peers.foreign}`),
      await ask(`peer:${peers.web}`, 'peer:2147483647'),
    ];
    expect(foreign.errors[0].message).toBe(none.errors[0].message);
  });

  it.each(['protocol: tcp, port: 0', 'protocol: udp, port: 65536', 'protocol: icmp, port: 1', 'port: 1'])(
    'refuses %s',
    async (terms) => {
      expect(codeOf(await ask(`peer:${peers.web}`, `peer:${peers.db}`, terms))).toBe('BAD_REQUEST');
    },
  );

  it('is FORBIDDEN until provisioned, and UNAUTHENTICATED to nobody', async () => {
    expect(codeOf(await ask('peer:1', 'peer:2', undefined, await signIn()))).toBe('FORBIDDEN');
    expect(codeOf(await graphql('{ reachability(from: "peer:1", to: "peer:2") { reachable } }'))).toBe(
      'UNAUTHENTICATED',
    );
  });
});

const PLAN = '{ opensTotal closesTotal opens { from to protocol ports } closes { from to protocol ports } }';
const plan = (args: string): Promise<Json> => graphql(`{ planPolicy(${args}) ${PLAN} }`, { token: user.token });

describe('planPolicy', () => {
  it('says what a new policy opens, and makes none', async () => {
    const { data } = await plan(
      `sourceGroupId: ${db}, destGroupId: ${web}, protocol: udp, ports: ["53"], bidirectional: false`,
    );
    expect(data.planPolicy).toEqual({
      opensTotal: 1,
      closesTotal: 0,
      opens: [{ from: `peer:${peers.db}`, to: `peer:${peers.web}`, protocol: 'udp', ports: ['53'] }],
      closes: [],
    });
    const { body } = await call('GET /api/network/policies/', { token: user.token });
    expect(body).toHaveLength(2);
  });

  it('says what a change moves', async () => {
    const { data } = await plan(`id: ${policy}, ports: ["80-81"]`);
    const added = { protocol: 'tcp', ports: ['81'] };
    expect(data.planPolicy).toMatchObject({ opensTotal: 2, closesTotal: 0, opens: [added, added] });
  });

  it('says what a deletion closes', async () => {
    const { data } = await plan(`id: ${policy}, delete: true`);
    expect(data.planPolicy).toMatchObject({
      opensTotal: 0,
      closesTotal: 2,
      closes: [
        { from: `peer:${peers.web}`, to: `peer:${peers.db}`, protocol: 'tcp', ports: ['80'] },
        { from: `peer:${peers.web}`, to: `resource:${resource}`, protocol: 'tcp', ports: ['80'] },
      ],
    });
  });

  it.each([
    ['a deletion of nothing', 'delete: true', 'BAD_REQUEST'],
    ['a new policy without groups', 'protocol: tcp', 'BAD_REQUEST'],
    ['a group that is none', 'sourceGroupId: 2147483647, destGroupId: 2147483647', 'BAD_REQUEST'],
    ['a policy that is none', 'id: 2147483647', 'NOT_FOUND'],
  ])('refuses %s', async (_, args, code) => {
    expect(codeOf(await plan(args))).toBe(code);
  });

  it('refuses a port that is none, and a managed policy', async () => {
    expect(codeOf(await plan(`id: ${policy}, ports: ["0"]`))).toBe('BAD_REQUEST');
    const { body } = await call('GET /api/network/policies/', { token: user.token });
    const managed = body.find(({ is_managed }: Json) => is_managed).id;
    expect(codeOf(await plan(`id: ${managed}, delete: true`))).toBe('CONFLICT');
  });
});
