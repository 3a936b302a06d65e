import { violatedConstraint, type Database } from '../../../kernel/database.js';
import { conflict, notFound } from '../../../kernel/errors.js';
import type { UserViewer } from '../../../kernel/viewer.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import { GROUP_COLUMNS, type Group } from './group.js';

const GROUPS_OF_USER = {
  name: 'groups-of-user',
  text: `SELECT ${GROUP_COLUMNS} FROM network.group g JOIN network.tenant t ON t.id = g.tenant_id WHERE t.user_id = $1 ORDER BY g.id`,
};

/** The viewer's groups, oldest first. @throws FORBIDDEN until the network is provisioned */
export async function listGroups(database: Database, viewer: UserViewer): Promise<Group[]> {
  const groups = await database.rows<Group>(GROUPS_OF_USER, [viewer.userId]);
  if (groups.length === 0) await tenantOf(database, viewer);
  return groups;
}

/** Makes a group. @throws CONFLICT when the label is taken, also by the default group */
export function createGroup(database: Database, change: GraphChange, label: string): Promise<Group> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [created] = await transaction.execute<Group>(
      `INSERT INTO network.group AS g (tenant_id, label, created_at) VALUES ($1, $2, $3)
       ON CONFLICT ON CONSTRAINT group_label DO NOTHING RETURNING ${GROUP_COLUMNS}`,
      [tenantId, label, change.now],
    );
    if (!created) throw conflict(`There is a group "${label}" already.`);
    return created;
  });
}

/** Deletes a group. @throws NOT_FOUND, CONFLICT for the default group and for one that policies name */
export function deleteGroup(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [group] = await transaction.execute<{ isDefault: boolean }>(
      'SELECT is_default AS "isDefault" FROM network.group WHERE tenant_id = $1 AND id = $2',
      [tenantId, id],
    );
    if (!group) throw notFound('There is no such group.');
    if (group.isDefault) throw conflict('The default group cannot be deleted.');
    const users = await transaction.execute<{ name: string }>(
      'SELECT name FROM network.policy WHERE tenant_id = $1 AND $2 IN (source_group_id, dest_group_id) ORDER BY id LIMIT 5',
      [tenantId, id],
    );
    if (users.length > 0) throw inUse(users.map(({ name }) => name));
    await transaction.execute('DELETE FROM network.group WHERE tenant_id = $1 AND id = $2', [tenantId, id]);
  }).catch((error: unknown) => {
    throw violatedConstraint(error) ? inUse([]) : error;
  });
}

function inUse(policies: readonly string[]): Error {
  return conflict(
    `The group is in use by policies${policies.length > 0 ? `: ${policies.join(', ')}` : ''}; change or delete them first.`,
  );
}
