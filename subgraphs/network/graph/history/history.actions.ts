import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { badRequest, conflict } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/viewer.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import { CHANGE_COLUMNS, type NetworkChange } from './history.js';
import { undoRefusal, type UndoItem } from './undo.rules.js';

const CHANGES_OF_TENANT = {
  name: 'changes-of-tenant',
  text: `
    SELECT ${CHANGE_COLUMNS} FROM network.change c
     WHERE c.tenant_id = $1 AND ($2::integer IS NULL OR c.revision < $2)
       AND EXISTS (SELECT 1 FROM network.change_item i WHERE i.change_id = c.id)
     ORDER BY c.revision DESC LIMIT $3`,
};

const MAX_CHANGES = 100;
const USUAL_CHANGES = 20;

/** The viewer's changes, newest first; empty changes are omitted. @throws FORBIDDEN until provisioned, BAD_REQUEST for the limit */
export async function listChanges(
  database: Database,
  viewer: UserViewer,
  { before, limit }: { readonly before?: number | null | undefined; readonly limit?: number | null | undefined },
): Promise<NetworkChange[]> {
  const tenant = await tenantOf(database, viewer);
  const count = limit ?? USUAL_CHANGES;
  if (count < 1 || count > MAX_CHANGES) throw badRequest(`\`limit\` must be 1 to ${MAX_CHANGES}.`);
  return database.rows<NetworkChange>(CHANGES_OF_TENANT, [tenant.id, before ?? null, count]);
}

/**
 * Takes back the last change that is neither undone nor an undo, so that each call goes one further back.
 * @param expected the change the caller means; undefined: whichever is last
 * @throws CONFLICT for a change that cannot be taken back, when there is none, and when another one is the last
 */
export function undoLastChange(
  database: Database,
  change: GraphChange,
  expected: string | undefined,
): Promise<NetworkChange> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const undone = await lastChange(transaction, tenantId);
    if (!undone) throw conflict('There is no change to undo.');
    if (expected !== undefined && expected !== undone.id) {
      throw conflict('A newer change exists; read the history again.');
    }
    const refusal = undoRefusal(undone.items, tenantId);
    if (refusal !== undefined) throw conflict(refusal);
    const [own] = await transaction.execute<{ id: string }>(
      `UPDATE network.change SET undoes = $1 WHERE id = current_setting('network.change')::bigint RETURNING id::text`,
      [undone.id],
    );
    await transaction.execute('SELECT network.undo_change($1, $2)', [undone.id, tenantId]);
    const [made] = await transaction.execute<NetworkChange>(
      `SELECT ${CHANGE_COLUMNS} FROM network.change c WHERE c.tenant_id = $1 AND c.id = $2`,
      [tenantId, own?.id],
    );
    if (!made) throw new Error('an update returned no row');
    return made;
  }).catch((error: unknown) => {
    throw violatedConstraint(error)
      ? conflict('The last change cannot be undone: a later change conflicts with it.')
      : error;
  });
}

async function lastChange(
  transaction: Transaction,
  tenantId: number,
): Promise<{ id: string; items: UndoItem[] } | undefined> {
  const [change] = await transaction.execute<{ id: string; items: UndoItem[] }>(
    `SELECT c.id::text,
            (SELECT json_agg(json_build_object('kind', i.kind, 'before', i.before, 'after', i.after))
               FROM network.change_item i WHERE i.change_id = c.id) AS items
       FROM network.change c
      WHERE c.tenant_id = $1 AND c.undoes IS NULL
        AND NOT EXISTS (SELECT 1 FROM network.change u WHERE u.undoes = c.id)
        AND EXISTS (SELECT 1 FROM network.change_item i WHERE i.change_id = c.id)
      ORDER BY c.revision DESC LIMIT 1`,
    [tenantId],
  );
  return change;
}
