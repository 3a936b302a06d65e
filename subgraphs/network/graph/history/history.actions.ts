import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, conflict } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import { CHANGES, type NetworkChange } from './history.js';
import { undoRefusal, type UndoItem } from './undo.rules.js';

const CHANGES_OF_TENANT = query(
  'changes-of-tenant',
  (_: Tables, value: { tenantId: number; before: number | null; limit: number }) => sql<NetworkChange>`
    ${CHANGES}
     WHERE c.tenant_id = ${value.tenantId} AND (${value.before}::integer IS NULL OR c.revision < ${value.before})
       AND EXISTS (SELECT 1 FROM network.change_item i WHERE i.tenant_id = c.tenant_id AND i.change_id = c.id)
     ORDER BY c.revision DESC LIMIT ${value.limit}`,
);

const MAX_CHANGES = 100;
const DEFAULT_CHANGES = 20;

/** The viewer's changes, newest first; empty changes are omitted. @throws FORBIDDEN until provisioned, BAD_REQUEST for the limit */
export async function listChanges(
  database: Database,
  viewer: UserViewer,
  { before, limit }: { readonly before?: number | null | undefined; readonly limit?: number | null | undefined },
): Promise<NetworkChange[]> {
  const tenant = await tenantOf(database, viewer);
  const count = limit ?? DEFAULT_CHANGES;
  if (count < 1 || count > MAX_CHANGES) throw badRequest(`\`limit\` must be 1 to ${MAX_CHANGES}.`);
  return database.run(CHANGES_OF_TENANT, { tenantId: tenant.id, before: before ?? null, limit: count });
}

const MARK_UNDO = query('mark-undo', (db: Tables, value: { tenantId: number; undoes: string }) =>
  db
    .updateTable('change')
    .set({ undoes: value.undoes })
    .where('tenantId', '=', value.tenantId)
    .where('id', '=', sql<string>`current_setting('network.change')::bigint`),
);

const UNDO_CHANGE = query(
  'undo-change',
  (_: Tables, value: { id: string; tenantId: number }) =>
    sql`SELECT network.undo_change(${value.id}, ${value.tenantId})`,
);

/**
 * Undoes the last change that is neither undone nor an undo, so that each call undoes an earlier change. @param
 * expected the change to undo; undefined: the last one @throws CONFLICT for a change that cannot be undone, if there is
 * none, and if the last one is not the expected one
 */
export function undoLastChange(
  database: Database,
  change: GraphChange,
  expected: string | undefined,
): Promise<NetworkChange> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [undone] = await transaction.run(LAST_CHANGE, { tenantId });
    if (!undone) throw conflict('There is no change to undo.');
    if (expected !== undefined && expected !== undone.id) {
      throw conflict('A newer change exists; read the history again.');
    }
    refuseLasting(undone, tenantId);
    await transaction.run(MARK_UNDO, { tenantId, undoes: undone.id });
    await transaction.run(UNDO_CHANGE, { id: undone.id, tenantId });
    return openChange(transaction, tenantId);
  }).catch(refuseConflicting);
}

/** @throws CONFLICT for a change that cannot be undone */
function refuseLasting({ items }: UndoableChange, tenantId: number): void {
  const refusal = undoRefusal(items, tenantId);
  if (refusal !== undefined) throw conflict(refusal);
}

function refuseConflicting(error: unknown): never {
  throw violatedConstraint(error)
    ? conflict('The last change cannot be undone: a later change conflicts with it.')
    : error;
}

/** Ids that fit a bigint. */
const CHANGE_ID = /^[1-9]\d{0,17}$/;

/**
 * Undoes a change and all later ones within the open change of a plan, newest first. @throws CONFLICT when one of them
 * cannot be undone, and when there is no such change or it is undone
 */
export async function undoSince(transaction: Transaction, tenantId: number, id: string): Promise<void> {
  const changes = CHANGE_ID.test(id) ? await transaction.run(CHANGES_SINCE, { tenantId, id }) : [];
  if (changes.at(-1)?.id !== id) throw conflict('There is no such change to undo; read the history again.');
  for (const change of changes) {
    refuseLasting(change, tenantId);
    await transaction.run(UNDO_CHANGE, { id: change.id, tenantId }).catch(refuseConflicting);
  }
}

const OPEN_CHANGE = query(
  'open-change',
  (_: Tables, value: { tenantId: number }) => sql<NetworkChange>`
    ${CHANGES} WHERE c.tenant_id = ${value.tenantId} AND c.id = current_setting('network.change')::bigint`,
);

/** Returns the open change of the transaction, with the items so far. */
export async function openChange(transaction: Transaction, tenantId: number): Promise<NetworkChange> {
  const [change] = await transaction.run(OPEN_CHANGE, { tenantId });
  if (!change) throw new Error('the transaction makes no change of the graph');
  return change;
}

interface UndoableChange {
  readonly id: string;
  readonly items: UndoItem[];
}

/** Changes that are no undo and were not undone. */
const UNDOABLE_CHANGES = sql`
    SELECT c.id::text,
           (SELECT json_agg(json_build_object('kind', i.kind, 'before', i.before, 'after', i.after))
              FROM network.change_item i WHERE i.tenant_id = c.tenant_id AND i.change_id = c.id) AS items
      FROM network.change c
     WHERE c.undoes IS NULL
       AND NOT EXISTS (SELECT 1 FROM network.change u WHERE u.tenant_id = c.tenant_id AND u.undoes = c.id)
       AND EXISTS (SELECT 1 FROM network.change_item i WHERE i.tenant_id = c.tenant_id AND i.change_id = c.id)`;

const LAST_CHANGE = query(
  'last-change',
  (_: Tables, value: { tenantId: number }) => sql<UndoableChange>`
    ${UNDOABLE_CHANGES} AND c.tenant_id = ${value.tenantId} ORDER BY c.revision DESC LIMIT 1`,
);

const CHANGES_SINCE = query(
  'changes-since',
  (_: Tables, value: { tenantId: number; id: string }) => sql<UndoableChange>`
    ${UNDOABLE_CHANGES} AND c.tenant_id = ${value.tenantId}
       AND c.revision >= (SELECT s.revision FROM network.change s WHERE s.tenant_id = ${value.tenantId} AND s.id = ${value.id}::bigint)
     ORDER BY c.revision DESC`,
);
