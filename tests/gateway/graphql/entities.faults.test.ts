import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ADMIN_TOKEN } from '../../kit/arrangements.js';
import { EntityPlatform, viewerOf, type MachineOwner } from '../../kit/entity-platform.js';
import { addProjects } from '../../kit/linked-rows.js';
import { DIRECTIONS } from '../../kit/entity-directions.js';
import type { Json } from '../../kit/platform.js';

const NO_SUCH_ID = 2_147_483_647;
const [FEW, MANY] = [5, 50];

describe.each(['in process', 'behind HTTP'] as const)('%s', (arrangement) => {
  let platform: EntityPlatform;
  let few: MachineOwner;
  let many: MachineOwner;
  beforeAll(async () => {
    platform = await EntityPlatform.start(arrangement);
    [few, many] = await Promise.all([platform.ownerOf(FEW), platform.ownerOf(MANY)]);
  }, 240_000);
  afterAll(() => platform.stop(), 60_000);

  it.each(DIRECTIONS)('as many statements for many rows as for few: %s', async (_, query, linked) => {
    const [of5, of50] = [await platform.statementsOf(query, few.token), await platform.statementsOf(query, many.token)];
    const [links5, links50] = [linked(of5.data), linked(of50.data)];
    expect(links5.length).toBeGreaterThanOrEqual(FEW - 1);
    expect(links50.length).toBeGreaterThanOrEqual(MANY - 1);
    expect([...links5, ...links50]).not.toContain(false);
    expect(of50.statements).toEqual(of5.statements);
  });

  it('as many statements for many projects as for few, to their owners', async () => {
    await addProjects(platform.databaseOf, MANY);
    const ask = (count: number) =>
      platform.statementsOf(`{ modelProjects(pageSize: ${count}) { project owner { username } } }`, ADMIN_TOKEN);
    const [ofFew, ofMany] = [await ask(FEW), await ask(MANY)];
    expect(new Set(ofMany.data.modelProjects.map(({ owner }: Json) => owner.username)).size).toBe(MANY);
    expect(ofMany.statements).toEqual(ofFew.statements);
  });

  describe('the key of', () => {
    const others = (): readonly (readonly [string, object])[] => [
      ['another user', viewerOf(many)],
      ['a service', { kind: 'service', name: 'a-test', tokenId: 'a-test', expiresAt: null, roles: ['SUPERUSER'] }],
      ['nobody', { kind: 'anonymous' }],
    ];
    const peerIdOf = async ({ token }: MachineOwner) =>
      (await platform.graphql('{ peers { id } }', token)).data.peers[0].id;

    it.each([
      ['a group', 'network', 'Group', 'id', 'me { groups { id label } }', (me: Json) => me.groups.at(-1), 'id label'],
      [
        'a certificate',
        'network',
        'Certificate',
        'fingerprint',
        'peers { certificate { fingerprint } }',
        (peers: Json) => peers.at(-1).certificate,
        'fingerprint',
      ],
      [
        'a record',
        'infrastructure',
        'OverlayCertificateRecord',
        'reference',
        'overlayCertificates { reference state }',
        (rows: Json) => rows[0],
        'reference state',
      ],
      ['a folder', 'sync', 'Folder', 'id', 'me { folders { id label } }', (me: Json) => me.folders[0], 'id label'],
      [
        'a bucket',
        'infrastructure',
        'Bucket',
        'name',
        'buckets { name createdAt }',
        (rows: Json) => rows[0],
        'name createdAt',
      ],
    ] as const)('%s is resolved for its owner only; for all others like an unknown one', async (...entity) => {
      const [, subgraph, type, field, query, pick, fields] = entity;
      const { data } = await platform.graphql(`{ ${query} }`, few.token);
      const own = pick(Object.values(data)[0]);
      const ask = (viewer: object, value: unknown) =>
        platform.entity(subgraph, viewer, { type, key: { [field]: value } }, fields);
      expect(await ask(viewerOf(few), own[field])).toEqual(own);
      for (const [, viewer] of others()) expect(await ask(viewer, own[field])).toBeNull();
      for (const unknown of [NO_SUCH_ID, randomUUID(), null]) expect(await ask(viewerOf(few), unknown)).toBeNull();
    });

    it('a project is resolved for its owner and administrators only; for all others like an unknown one', async () => {
      await platform.setProject('a-private-one', few);
      const ask = (viewer: object, project: string) =>
        platform.entity('infrastructure', viewer, { type: 'ModelProject', key: { project } }, 'project ownerId');
      const own = { project: 'a-private-one', ownerId: few.userId };
      const admin = { ...viewerOf(many), roles: ['ADMIN'] };
      expect([await ask(viewerOf(few), own.project), await ask(admin, own.project)]).toEqual([own, own]);
      const refused = [await ask(viewerOf(many), own.project), await ask({ kind: 'anonymous' }, own.project)];
      expect([...refused, await ask(viewerOf(few), 'unknown')]).toEqual([null, null, null]);
    });

    it('a user has no lists for others, not for administrators either', async () => {
      const fields = 'vmInstances { id } buckets { name } certificates { reference } modelProjects { project }';
      for (const viewer of [viewerOf(many), { ...viewerOf(many), roles: ['ADMIN'] }]) {
        const [one, other] = await Promise.all([
          platform.entity('infrastructure', viewer, { type: 'User', key: { id: few.userId } }, fields),
          platform.entity('network', viewer, { type: 'User', key: { id: few.userId } }, 'peers { id } groups { id }'),
        ]);
        expect({ ...one, ...other }).toEqual({
          vmInstances: null,
          buckets: null,
          certificates: null,
          modelProjects: null,
          peers: null,
          groups: null,
        });
      }
    });

    it('a machine is resolved for its owner only; for all others like an unknown one', async () => {
      const ask = (viewer: object, uuid: unknown) =>
        platform.entity('infrastructure', viewer, { type: 'VmInstance', key: { uuid } }, 'uuid name');
      const { uuid, name } = few.machine;
      expect(await ask(viewerOf(few), uuid)).toEqual({ uuid, name });
      for (const [, viewer] of others()) expect(await ask(viewer, uuid)).toBeNull();
      for (const unknown of [randomUUID(), 'x', 1, null]) expect(await ask(viewerOf(few), unknown)).toBeNull();
    });

    it('a peer is resolved for its owner only; for all others like an unknown one', async () => {
      const ask = (viewer: object, id: unknown) =>
        platform.entity('network', viewer, { type: 'Peer', key: { id } }, 'id label vmInstance { uuid }');
      const id = await peerIdOf(few);
      expect(await ask(viewerOf(few), id)).toMatchObject({ id, vmInstance: { uuid: few.machine.uuid } });
      for (const [, viewer] of others()) expect(await ask(viewer, id)).toBeNull();
      for (const unknown of [NO_SUCH_ID, 'x', null]) expect(await ask(viewerOf(few), unknown)).toBeNull();
    });

    it('a machine has no charges for others, like an unknown one', async () => {
      const ask = (viewer: object, uuid: unknown) => {
        const key = { type: 'VmInstance', key: { uuid } };
        return platform.entity('accounts', viewer, key, 'charges { lines { source } next }');
      };
      const { data } = await platform.graphql('{ vmInstances { uuid } }', few.token);
      const { uuid } = data.vmInstances[0];
      expect(await ask(viewerOf(few), uuid)).toEqual({ charges: { lines: [{ source: 'vm' }], next: null } });
      const none = { charges: { lines: [], next: null } };
      expect([await ask(viewerOf(many), uuid), await ask(viewerOf(few), randomUUID())]).toEqual([none, none]);
      expect(await ask(viewerOf(few), 'x')).toBeNull();
    });

    it('a machine leads to no peer for others, like an unknown one', async () => {
      const ask = (viewer: object, uuid: string) =>
        platform.entity('network', viewer, { type: 'VmInstance', key: { uuid } }, 'peer { id }');
      const [own, foreign, unknown] = [
        await ask(viewerOf(few), few.machine.uuid),
        await ask(viewerOf(many), few.machine.uuid),
        await ask(viewerOf(many), randomUUID()),
      ];
      expect(own).toEqual({ peer: { id: await peerIdOf(few) } });
      expect(foreign).toEqual(unknown);
      expect(unknown).toEqual({ peer: null });
    });
  });
});
