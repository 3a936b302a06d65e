import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';
import { PEER_GROUPS, shownPeer } from './own-peers.actions.js';
import { PEER_COLUMNS } from './peer.js';

const PEERS_BY_ID = query('peers-by-id', (db: Tables, value: { userId: number; ids: readonly number[] }) =>
  db
    .selectFrom('peer')
    .innerJoin('tenant', 'tenant.id', 'peer.tenantId')
    .select([...PEER_COLUMNS, PEER_GROUPS.as('groups')])
    .where('tenant.userId', '=', value.userId)
    .where('peer.id', '=', anyOf(value.ids)),
);

/** One of the viewer's peers; undefined if it belongs to another user, or the viewer is not a user. */
export const findPeerOfViewer = batched(async ({ viewer, database, now }: Context, ids: readonly number[]) => {
  if (viewer.kind !== 'user') return [];
  const rows = await database.run(PEERS_BY_ID, { userId: viewer.userId, ids });
  const at = now();
  return inOrder(
    ids,
    rows.map((row) => shownPeer(row, at)),
    ({ id }) => id,
  );
});
