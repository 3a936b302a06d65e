import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';
import { GROUP_COLUMNS } from './group.js';

const GROUPS_BY_ID = query('groups-by-id', (db: Tables, value: { userId: number; ids: readonly number[] }) =>
  db
    .selectFrom('group')
    .innerJoin('tenant', 'tenant.id', 'group.tenantId')
    .select(GROUP_COLUMNS)
    .where('tenant.userId', '=', value.userId)
    .where('group.isInfra', '=', false)
    .where('group.id', '=', anyOf(value.ids)),
);

/** One of the viewer's groups; undefined if it belongs to another user, or the viewer is not a user. */
export const findGroupOfViewer = batched(async ({ viewer, database }: Context, ids: readonly number[]) => {
  if (viewer.kind !== 'user') return [];
  return inOrder(ids, await database.run(GROUPS_BY_ID, { userId: viewer.userId, ids }), ({ id }) => id);
});
