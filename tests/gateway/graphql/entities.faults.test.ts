import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { EntityPlatform, viewerOf, type MachineOwner } from '../../kit/entity-platform.js';
import type { Json } from '../../kit/platform.js';

const NO_SUCH_ID = 2_147_483_647;
const [FEW, MANY] = [5, 50];

/** Queries over a list, by the path to its rows. Each row leads to another subgraph. */
const DIRECTIONS: readonly (readonly [string, string, (data: Json) => Json[]])[] = [
  [
    'machines to their peers and back',
    '{ vmInstances { name peer { label vmInstance { name } } } }',
    ({ vmInstances }) => vmInstances.map(({ name, peer }: Json) => peer?.vmInstance?.name === name),
  ],
  [
    'peers to their machines and back',
    '{ peers { label status vmInstance { status peer { label groups } } } }',
    ({ peers }) => peers.map(({ label, vmInstance }: Json) => vmInstance?.peer?.label === label),
  ],
  [
    'nodes of the topology to their machines',
    '{ topology { nodes { type meta { peer { vmInstance { name } } } } } }',
    ({ topology }) =>
      topology.nodes.filter(({ type }: Json) => type === 'peer').map(({ meta }: Json) => !!meta.peer?.vmInstance?.name),
  ],
  [
    'machines to their cost',
    '{ vmInstances { billing { state } } }',
    ({ vmInstances }) => vmInstances.map(({ billing }: Json) => !!billing.state),
  ],
];

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
    expect([linked(of5.data), linked(of50.data)]).toEqual([Array(FEW).fill(true), Array(MANY).fill(true)]);
    expect(of50.statements).toEqual(of5.statements);
  });

  describe('the key of', () => {
    const others = (): readonly (readonly [string, object])[] => [
      ['another user', viewerOf(many)],
      ['a service', { kind: 'service', name: 'a-test', tokenId: 'a-test', expiresAt: null, roles: ['SUPERUSER'] }],
      ['nobody', { kind: 'anonymous' }],
    ];
    const peerIdOf = async ({ token }: MachineOwner) =>
      (await platform.graphql('{ peers { id } }', token)).data.peers[0].id;

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
