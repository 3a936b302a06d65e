import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ADMIN_TOKEN } from '../../../kit/arrangements.js';
import { EntityPlatform, viewerOf, type MachineOwner } from '../../../kit/graph/entity-platform.js';
import { addUsers } from '../../../kit/graph/linked-rows.js';
import { DIRECTIONS } from '../../../kit/graph/entity-directions.js';
import { ENTITIES, LISTS, queryOfList } from '../../../kit/graph/every-field.js';
import { OWNED_ENTITIES } from '../../../kit/graph/owned-entities.js';
import type { Json } from '../../../kit/platform.js';

/** The type of an entity, the field of its key, and the fields to read. */
interface OneKey {
  readonly type: string;
  readonly field: string;
  readonly fields: string;
}

const NO_SUCH_ID = 2_147_483_647;
const [FEW, MANY] = [5, 50];
/** Rows of a list of administrators, every field of which is selected: the cost of an operation allows no more. */
const [FEW_OF_ALL, MANY_OF_ALL] = [2, 10];

it('has a list of each entity', () => {
  expect(ENTITIES.filter((entity) => LISTS.every(({ type }) => type !== entity))).toEqual([]);
});

describe.each(['in process', 'behind HTTP'] as const)('%s', (arrangement) => {
  let platform: EntityPlatform;
  let few: MachineOwner;
  let many: MachineOwner;
  beforeAll(async () => {
    platform = await EntityPlatform.start(arrangement);
    [few, many] = await Promise.all([platform.ownerOf(FEW), platform.ownerOf(MANY)]);
    await addUsers(platform.databaseOf, MANY);
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

  it.each(LISTS)('as many statements for many rows as for few: every field of $type in $path', async (list) => {
    const isOfAll = list.path.includes('COUNT');
    const ask = async (count: number, { token }: MachineOwner) =>
      (await platform.statementsOf(queryOfList(list, count), isOfAll ? ADMIN_TOKEN : token)).statements;
    expect(await ask(MANY_OF_ALL, many)).toEqual(await ask(FEW_OF_ALL, few));
  });

  it('as many statements for many projects as for few, to their owners', async () => {
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
    /** Asks for the key of the row beside few and beside many others, which do not exist. */
    async function expectSameStatements(subgraph: string, entity: OneKey, own: Json): Promise<void> {
      const { type, field, fields } = entity;
      const unknown = (index: number) => (typeof own[field] === 'number' ? NO_SUCH_ID - index : randomUUID());
      const statementsFor = async (count: number) => {
        const absent = Array.from({ length: count - 1 }, (_value, index) => unknown(index));
        const keys = [own[field], ...absent].map((key) => ({ [field]: key }));
        const { found, statements } = await platform.entities(subgraph, viewerOf(few), type, { keys, fields });
        expect(found).toEqual([own, ...absent.map(() => null)]);
        return statements;
      };
      const ofFew = await statementsFor(FEW);
      expect(ofFew).not.toEqual([]);
      expect(await statementsFor(MANY)).toEqual(ofFew);
    }
    const peerIdOf = async ({ token }: MachineOwner) =>
      (await platform.graphql('{ peers { id } }', token)).data.peers[0].id;

    it.each(OWNED_ENTITIES)(
      '$title is resolved for its owner only; for all others like an unknown one',
      async ({ subgraph, type, field, query, pick, fields }) => {
        const { data } = await platform.graphql(`{ ${query} }`, few.token);
        const own = pick(Object.values(data)[0]);
        const ask = (viewer: object, value: unknown) =>
          platform.entity(subgraph, viewer, { type, key: { [field]: value } }, fields);
        expect(await ask(viewerOf(few), own[field])).toEqual(own);
        for (const [, viewer] of others()) expect(await ask(viewer, own[field])).toBeNull();
        for (const unknown of [NO_SUCH_ID, randomUUID(), 'x', null])
          expect(await ask(viewerOf(few), unknown)).toBeNull();
      },
    );

    it.each(OWNED_ENTITIES)(
      '$title is resolved by as many statements for many keys as for few',
      async ({ subgraph, type, field, query, pick, fields }) => {
        const own = pick(Object.values((await platform.graphql(`{ ${query} }`, few.token)).data)[0]);
        await expectSameStatements(subgraph, { type, field, fields }, own);
      },
    );

    it('a user is resolved for the user, validators and administrators only; for all others like an unknown one', async () => {
      const fields = 'id username email roles';
      const ask = (viewer: object, id: unknown) =>
        platform.entity('accounts', viewer, { type: 'User', key: { id } }, fields);
      const { me } = (await platform.graphql(`{ me { ${fields} } }`, few.token)).data;
      const [, , nobody] = others();
      for (const viewer of [
        viewerOf(few),
        ...['VALIDATOR', 'ADMIN', 'SUPERUSER'].map((role) => ({ ...viewerOf(many), roles: [role] })),
      ])
        expect(await ask(viewer, few.userId)).toEqual(me);
      for (const viewer of [viewerOf(many), { ...viewerOf(many), roles: ['BETA', 'MARKETING'] }, nobody?.[1] ?? {}])
        expect(await ask(viewer, few.userId)).toBeNull();
      for (const unknown of [NO_SUCH_ID, randomUUID(), null])
        expect(await ask({ ...viewerOf(few), roles: ['ADMIN'] }, unknown)).toBeNull();
    });

    it('many users, and of many transactions, is resolved by as many statements as of few', async () => {
      const admin = { ...viewerOf(few), roles: ['ADMIN'] };
      const { results } = (await platform.graphql('{ users(first: 50) { results { id } } }', ADMIN_TOKEN)).data.users;
      const { transactions } = (await platform.graphql('{ transactions { id } }', many.token)).data;
      const statementsFor = async (type: string, rows: Json[], count: number) => {
        const keys = rows.slice(0, count);
        const viewer = type === 'User' ? admin : viewerOf(many);
        const { found, statements } = await platform.entities('accounts', viewer, type, { keys, fields: 'id' });
        expect(found).toEqual(keys);
        expect(found).toHaveLength(count);
        return statements;
      };
      for (const [type, rows, names] of [
        ['User', results, ['users-by-id']],
        ['Transaction', transactions, ['transactions-by-id']],
      ] as const)
        expect([await statementsFor(type, rows, FEW - 1), await statementsFor(type, rows, MANY - 1)]).toEqual([
          names,
          names,
        ]);
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
      const fields = 'project ownerId';
      await expectSameStatements('infrastructure', { type: 'ModelProject', field: 'project', fields }, own);
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

    it('a user has no folders and totals for others, not for administrators either', async () => {
      const ask = (viewer: object) => {
        const { userId: id, substrateAddress } = few;
        const key = { type: 'User', key: { id, substrateAddress } };
        return platform.entity('sync', viewer, key, 'folders { label } storage { fileCount }');
      };
      expect(await ask(viewerOf(few))).toEqual({ folders: expect.any(Array), storage: { fileCount: 0 } });
      const none = { folders: null, storage: null };
      expect(await ask(viewerOf(many))).toEqual(none);
      expect(await ask({ ...viewerOf(many), roles: ['ADMIN'] })).toEqual(none);
      expect(await ask({ kind: 'anonymous' })).toBeNull();
      const forged = { type: 'User', key: { id: few.userId, substrateAddress: many.substrateAddress } };
      for (const viewer of [viewerOf(few), viewerOf(many)])
        expect(await platform.entity('sync', viewer, forged, 'folders { label } storage { fileCount }')).toEqual(none);
    });

    it('a charge for storage has no folders and lines for others, like an unknown one', async () => {
      const ask = async (viewer: object, id: string) => ({
        ...(await platform.entity('sync', viewer, { type: 'StorageCharge', key: { id } }, 'folders { day }')),
        ...(await platform.entity(
          'accounts',
          viewer,
          { type: 'StorageCharge', key: { id } },
          'charges { lines { source } }',
        )),
      });
      const id = (day: string) => `storage:${few.substrateAddress}:${day}`;
      const [known, unknown] = [id('2026-10-31'), id('2025-10-31')];
      const own = { folders: [{ day: '2026-10-31' }], charges: { lines: [{ source: 'storage' }] } };
      expect(await ask(viewerOf(few), known)).toEqual(own);
      const none = { folders: [], charges: { lines: [] } };
      expect([await ask(viewerOf(many), known), await ask(viewerOf(few), unknown)]).toEqual([none, none]);
      expect(await ask({ kind: 'anonymous' }, known)).toEqual({});
      for (const key of ['x', id('2026-02-30'), 1, null])
        expect(
          await platform.entity('sync', viewerOf(few), { type: 'StorageCharge', key: { id: key } }, 'folders { day }'),
        ).toBeNull();
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
