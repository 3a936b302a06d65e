import { sql } from 'kysely';
import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';

const PEERS_OF_GROUPS = query('peers-of-groups', (db: Tables, value: { userId: number; ids: readonly number[] }) =>
  db
    .selectFrom('member as m')
    .innerJoin('tenant as t', 't.id', 'm.tenantId')
    .select(['m.groupId', sql<number[]>`array_agg(m.peer_id ORDER BY m.peer_id)`.as('peers')])
    .where('t.userId', '=', value.userId)
    .where('m.groupId', '=', anyOf(value.ids))
    .groupBy('m.groupId'),
);

/** Ids of the peers in one of the viewer's groups, oldest first. */
export const peerIdsOfGroup = batched(async ({ viewer, database }: Context, ids: readonly number[]) => {
  if (viewer.kind !== 'user') return [];
  const found = await database.run(PEERS_OF_GROUPS, { userId: viewer.userId, ids });
  return inOrder(ids, found, ({ groupId }) => groupId).map((row) => row?.peers);
});
