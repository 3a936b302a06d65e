import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, type Json } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
let user: SignedIn;
let tenant: Json;
let infra: number;
let peer: number;
beforeAll(async () => {
  platform = await startOnDatabase();
  user = await signIn(undefined, platform.url);
  ({ body: tenant } = await send('POST /api/network/provision/'));
  ({
    body: { peer },
  } = await send('POST /api/network/peers/enroll/', {}));
  infra = Number(
    await ask(
      platform.databaseUrl,
      `INSERT INTO network.group (tenant_id, label, is_infra, created_at) VALUES (${tenant.id}, 'of-the-platform', true, now()) RETURNING id`,
    ),
  );
  await ask(
    platform.databaseUrl,
    `INSERT INTO network.member (tenant_id, group_id, peer_id) VALUES (${tenant.id}, ${infra}, ${peer})`,
  );
}, 120_000);
afterAll(() => platform.stop());

const send = (target: string, body?: unknown) => call(target, { token: user.token, url: platform.url, body });

describe('the group of the platform’s own machines', () => {
  it('is not listed, counted, drawn or told of a peer', async () => {
    const [groups, me, graph, peers, one] = await Promise.all([
      send('GET /api/network/groups/'),
      send('GET /api/network/me/'),
      send('GET /api/network/topology/'),
      send('GET /api/network/peers/'),
      send(`GET /api/network/peers/${peer}/`),
    ]);
    expect(groups.body).toHaveLength(1);
    expect(me.body.counts.groups).toBe(1);
    expect(graph.body.nodes.map(({ id }: Json) => id)).toEqual([`group:${tenant.default_group}`, `peer:${peer}`]);
    expect([peers.body[0], one.body, graph.body.nodes[1].meta].map(({ groups: own }) => own)).toEqual(
      Array.from({ length: 3 }, () => [tenant.default_group]),
    );
  });

  it.each([
    ['the source of a policy', 'POST policies', () => ({ source_group: infra, dest_group: tenant.default_group })],
    ['the destination of a policy', 'POST policies', () => ({ source_group: tenant.default_group, dest_group: infra })],
    ['a group of a resource', 'POST networks/1/resources', () => ({ name: 'a', address: '10.0.0.1', groups: [infra] })],
    ['the group of a setup key', 'POST peers/enroll', () => ({ group: infra })],
    ['a group of a peer', 'PATCH peers/1', () => ({ groups: [tenant.default_group, infra] })],
  ])('is refused with 400 as %s', async (_, target, body) => {
    const [method, path = ''] = target.split(' ');
    const { default_network: network } = tenant;
    const at = path.replace('networks/1', `networks/${network}`).replace('peers/1', `peers/${peer}`);
    const { status } = await send(`${method} /api/network/${at}/`, body());
    expect(status).toBe(400);
  });

  it('is not found in a path', async () => {
    const replies = [
      await send(`DELETE /api/network/groups/${infra}/`),
      await send(`POST /api/network/groups/${infra}/members/`, { peer }),
      await send(`POST /api/network/groups/${infra}/members/`, { peer, action: 'remove' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('stays with a peer whose groups are replaced', async () => {
    const { body: web } = await send('POST /api/network/groups/', { label: 'web' });
    const { body } = await send(`PATCH /api/network/peers/${peer}/`, { groups: [web.id] });
    const members = `SELECT array_agg(group_id ORDER BY group_id) FROM network.member WHERE peer_id = ${peer}`;
    expect(body.groups).toEqual([web.id]);
    expect(await ask(platform.databaseUrl, members)).toEqual([infra, web.id]);
  });
});
