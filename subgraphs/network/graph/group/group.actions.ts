import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { badRequest, conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/viewer.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import { GROUP_COLUMNS, type Group } from './group.js';

const GROUPS_OF_USER = {
  name: 'groups-of-user',
  text: `SELECT ${GROUP_COLUMNS} FROM network.group g JOIN network.tenant t ON t.id = g.tenant_id
          WHERE t.user_id = $1 AND NOT g.is_infra ORDER BY g.id`,
};

/** The viewer's groups, oldest first. @throws FORBIDDEN until the network is provisioned */
export async function listGroups(database: Database, viewer: UserViewer): Promise<Group[]> {
  const groups = await database.rows<Group>(GROUPS_OF_USER, [viewer.userId]);
  if (groups.length === 0) await tenantOf(database, viewer);
  return groups;
}

/** Creates a group. @throws CONFLICT when the label is taken, also by the default group */
export function createGroup(database: Database, change: GraphChange, label: string): Promise<Group> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [created] = await transaction.execute<Group>(
      `INSERT INTO network.group AS g (tenant_id, label, created_at) VALUES ($1, $2, $3)
       ON CONFLICT ON CONSTRAINT group_label DO NOTHING RETURNING ${GROUP_COLUMNS}`,
      [tenantId, label, change.now],
    );
    if (!created) throw conflict(`A group "${label}" already exists.`);
    return created;
  });
}

/**
 * Deletes a group; its peers stay in their other groups. One that has no other would come under the policies of the default
 * group unasked: it counts as a use.
 * @throws NOT_FOUND, CONFLICT for the default group and for one that is in use, naming by what
 */
export function deleteGroup(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const { isDefault } = await ownGroup(transaction, tenantId, id);
    if (isDefault) throw conflict('The default group cannot be deleted.');
    await refuseUsed(transaction, tenantId, { id, now: change.now });
    await transaction.execute('DELETE FROM network.member WHERE group_id = $1', [id]);
    await transaction.execute('DELETE FROM network.group WHERE tenant_id = $1 AND id = $2', [tenantId, id]);
  });
}

/** Returns a group of the tenant. @throws NOT_FOUND for missing groups, groups of others and the platform's own group */
export async function ownGroup(
  transaction: Transaction,
  tenantId: number,
  id: number,
): Promise<Pick<Group, 'isDefault'>> {
  const [group] = await transaction.execute<Pick<Group, 'isDefault'>>(
    'SELECT is_default AS "isDefault" FROM network.group WHERE tenant_id = $1 AND id = $2 AND NOT is_infra',
    [tenantId, id],
  );
  if (!group) throw notFound('The group does not exist.');
  return group;
}

/** Returns the distinct ids if all are groups of the tenant. @param field name of the field in errors @throws BAD_REQUEST */
export async function ownGroups(
  transaction: Transaction,
  tenantId: number,
  { ids, field }: { readonly ids: readonly number[]; readonly field: string },
): Promise<number[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return wanted;
  const [{ count } = { count: 0 }] = await transaction.execute<{ count: number }>(
    'SELECT count(*)::integer AS count FROM network.group WHERE tenant_id = $1 AND id = ANY ($2) AND NOT is_infra',
    [tenantId, wanted],
  );
  if (count < wanted.length) throw badRequest(`\`${field}\` contains a group that is not one of yours.`);
  return wanted;
}

/** Maximum number of objects that a refusal names. */
const NAMED = 5;

const USERS = `
  SELECT kind, (array_agg(concat(name, ' (', id, ')') ORDER BY id))[1:${NAMED}] AS names, count(*)::integer AS count
    FROM (SELECT 1 AS place, 'policies' AS kind, id, name FROM network.policy
           WHERE tenant_id = $1 AND (source_group_id = $2 OR dest_group_id = $2)
          UNION ALL
          SELECT 2, 'resources', r.id, r.name FROM network.resource_group m JOIN network.resource r ON r.id = m.resource_id
           WHERE m.tenant_id = $1 AND m.group_id = $2
          UNION ALL
          SELECT 3, 'unused setup keys', id, name FROM network.enrollment
           WHERE tenant_id = $1 AND group_id = $2 AND peer_id IS NOT NULL AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $3
          UNION ALL
          SELECT 4, 'peers without another group', p.id, p.label FROM network.member m JOIN network.peer p ON p.id = m.peer_id
           WHERE m.tenant_id = $1 AND m.group_id = $2 AND NOT EXISTS
                 (SELECT FROM network.member o WHERE o.tenant_id = $1 AND o.peer_id = m.peer_id AND o.group_id <> $2)) users
   GROUP BY place, kind ORDER BY place`;

async function refuseUsed(
  transaction: Transaction,
  tenantId: number,
  { id, now }: { readonly id: number; readonly now: Date },
): Promise<void> {
  const users = await transaction.execute<{ kind: string; names: string[]; count: number }>(USERS, [tenantId, id, now]);
  if (users.length === 0) return;
  const listed = users.map(({ kind, names, count }) => {
    const rest = count > names.length ? ` and ${count - names.length} more` : '';
    return `${kind}: ${names.join(', ')}${rest}`;
  });
  throw conflict(`The group is in use by ${listed.join('; by ')}. Change or delete them first.`);
}
