import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { increaseRevision, ownerOf, tenantOf } from '../../graph/tenant/tenant.actions.js';
import { MAX_COORDINATE, type NodePosition } from './position.js';

/** Maximum positions of one request. */
const MAX_POSITIONS = 1000;

const POSITIONS = query('node-positions', (db: Tables, value: { tenantId: number }) =>
  db
    .selectFrom('nodePosition')
    .select([sql<string>`kind || ':' || item_id`.as('node'), 'x', 'y'])
    .where('tenantId', '=', value.tenantId)
    .orderBy('kind')
    .orderBy('itemId'),
);

/** Where the viewer put the nodes of the topology. @throws FORBIDDEN until provisioned */
export async function readPositions(database: Database, viewer: UserViewer): Promise<NodePosition[]> {
  const { id: tenantId } = await tenantOf(database, viewer);
  return database.run(POSITIONS, { tenantId });
}

const nodesOf = (tenantId: number) => sql`
  SELECT 'group' AS kind, id FROM network.group WHERE tenant_id = ${tenantId} AND NOT is_infra
  UNION ALL SELECT 'peer', id FROM network.peer WHERE tenant_id = ${tenantId}
  UNION ALL SELECT 'resource', id FROM network.resource WHERE tenant_id = ${tenantId}
  UNION ALL SELECT 'router', id FROM network.router WHERE tenant_id = ${tenantId}`;

interface Batch {
  readonly tenantId: number;
  readonly nodes: readonly string[];
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

// In the same order for all clients, so that parallel requests do not deadlock.
const STORE = query(
  'store-node-positions',
  (_: Tables, { tenantId, nodes, xs, ys }: Batch) => sql<{ kind: string }>`
    INSERT INTO network.node_position (tenant_id, kind, item_id, x, y)
    SELECT ${tenantId}, n.kind, n.id, p.x, p.y
      FROM unnest(${nodes}::text[], ${xs}::integer[], ${ys}::integer[]) AS p (node, x, y)
      JOIN (${nodesOf(tenantId)}) n ON n.kind || ':' || n.id = p.node
     ORDER BY n.kind, n.id
    ON CONFLICT (tenant_id, kind, item_id) DO UPDATE SET x = excluded.x, y = excluded.y
    RETURNING kind`,
);

// Ids are not used again, so the positions of deleted nodes only take space.
const FORGET_DELETED = query(
  'delete-positions-of-deleted-nodes',
  (_: Tables, { tenantId }: { tenantId: number }) => sql`
    DELETE FROM network.node_position p WHERE p.tenant_id = ${tenantId}
       AND (p.kind, p.item_id) NOT IN (${nodesOf(tenantId)})`,
);

/** Stores where nodes are drawn: all of them or none. @throws FORBIDDEN until provisioned, BAD_REQUEST, NOT_FOUND */
export async function storePositions(
  database: Database,
  viewer: Pick<UserViewer, 'userId'>,
  positions: readonly NodePosition[],
): Promise<void> {
  const { id: tenantId } = await tenantOf(database, viewer);
  checkPositions(positions);
  const nodes = positions.map(({ node }) => node);
  const [xs, ys] = [positions.map(({ x }) => x), positions.map(({ y }) => y)];
  await database.change(async (transaction) => {
    // So that other windows of the user draw them there.
    await increaseRevision(transaction, tenantId);
    await transaction.run(FORGET_DELETED, { tenantId });
    const stored = await transaction.run(STORE, { tenantId, nodes, xs, ys });
    if (stored.length < nodes.length) throw notFound('A node is not in your topology.');
  }, ownerOf(tenantId));
}

function checkPositions(positions: readonly NodePosition[]): void {
  if (positions.length > MAX_POSITIONS) throw badRequest(`\`positions\` must have at most ${MAX_POSITIONS} items.`);
  if (new Set(positions.map(({ node }) => node)).size < positions.length)
    throw badRequest('`positions` must name each node once.');
  if (positions.some(({ x, y }) => Math.max(Math.abs(x), Math.abs(y)) > MAX_COORDINATE))
    throw badRequest(`\`x\` and \`y\` must be from -${MAX_COORDINATE} to ${MAX_COORDINATE}.`);
}
