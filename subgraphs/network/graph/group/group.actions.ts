import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { badRequest, conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import { GROUP_COLUMNS, type Group } from './group.js';

const GROUPS_OF_USER = query('groups-of-user', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('group')
    .innerJoin('tenant', 'tenant.id', 'group.tenantId')
    .select(GROUP_COLUMNS)
    .where('tenant.userId', '=', value.userId)
    .where('group.isInfra', '=', false)
    .orderBy('group.id'),
);

/** The viewer's groups, oldest first. @throws FORBIDDEN until the network is provisioned */
export async function listGroups(
  database: Pick<Database, 'run'>,
  viewer: Pick<UserViewer, 'userId'>,
): Promise<Group[]> {
  const groups = await groupsOf(database, viewer.userId);
  if (groups.length === 0) await tenantOf(database, viewer);
  return groups;
}

/** The user's groups, oldest first; none until the network is provisioned. */
export function groupsOf(database: Pick<Database, 'run'>, userId: number): Promise<Group[]> {
  return database.run(GROUPS_OF_USER, { userId });
}

const INSERT_GROUP = query('insert-group', (db: Tables, value: { tenantId: number; label: string; now: Date }) =>
  db
    .insertInto('group')
    .values({ tenantId: value.tenantId, label: value.label, createdAt: value.now })
    .onConflict((on) => on.constraint('group_label').doNothing())
    .returning(GROUP_COLUMNS),
);

/** Creates a group. @throws CONFLICT if any group, including the default group, has the label */
export function createGroup(database: Database, change: GraphChange, label: string): Promise<Group> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const [created] = await transaction.run(INSERT_GROUP, { tenantId, label, now: change.now });
    if (!created) throw labelTaken(label);
    return created;
  });
}

function labelTaken(label: string): Error {
  return conflict(`A group "${label}" already exists.`);
}

const UPDATE_GROUP = query('update-group', (db: Tables, value: { tenantId: number; id: number; label: string }) =>
  db
    .updateTable('group')
    .set({ label: value.label })
    .where('tenantId', '=', value.tenantId)
    .where('id', '=', value.id)
    .returning(GROUP_COLUMNS),
);

/** Renames a group. @throws NOT_FOUND, CONFLICT for the default group, and if another group has the label */
export function updateGroup(
  database: Database,
  change: GraphChange,
  { id, label }: { readonly id: number; readonly label: string },
): Promise<Group> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const { isDefault } = await requireGroup(transaction, tenantId, id);
    if (isDefault) throw conflict('The default group cannot be renamed.');
    const [renamed] = await transaction.run(UPDATE_GROUP, { tenantId, id, label });
    if (!renamed) throw new Error('an update returned no row');
    return renamed;
  }).catch((error: unknown) => {
    throw violatedConstraint(error) === 'group_label' ? labelTaken(label) : error;
  });
}

const DELETE_MEMBERS = query('delete-members-of-group', (db: Tables, value: { tenantId: number; groupId: number }) =>
  db.deleteFrom('member').where('tenantId', '=', value.tenantId).where('groupId', '=', value.groupId),
);

const DELETE_GROUP = query('delete-group', (db: Tables, value: { tenantId: number; id: number }) =>
  db.deleteFrom('group').where('tenantId', '=', value.tenantId).where('id', '=', value.id),
);

/**
 * Deletes a group; its peers stay in their other groups. A group with a peer that is in no other group is in use,
 * because that peer would move to the default group. @throws NOT_FOUND, CONFLICT for the default group and for a group
 * in use: the message lists what uses it
 */
export function deleteGroup(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const { isDefault } = await requireGroup(transaction, tenantId, id);
    if (isDefault) throw conflict('The default group cannot be deleted.');
    await requireUnused(transaction, tenantId, { id, now: change.now });
    await transaction.run(DELETE_MEMBERS, { tenantId, groupId: id });
    await transaction.run(DELETE_GROUP, { tenantId, id });
  });
}

const GROUP_OF_TENANT = query('group-of-tenant', (db: Tables, value: { tenantId: number; id: number }) =>
  db
    .selectFrom('group')
    .select('isDefault')
    .where('tenantId', '=', value.tenantId)
    .where('id', '=', value.id)
    .where('isInfra', '=', false),
);

/**
 * Checks that the tenant has the group; returns whether it is the default group.
 * @throws NOT_FOUND for missing groups, groups of others and the platform's own group
 */
export async function requireGroup(
  transaction: Transaction,
  tenantId: number,
  id: number,
): Promise<Pick<Group, 'isDefault'>> {
  const [group] = await transaction.run(GROUP_OF_TENANT, { tenantId, id });
  if (!group) throw notFound('The group does not exist.');
  return group;
}

const COUNT_GROUPS = query('count-groups', (db: Tables, value: { tenantId: number; ids: readonly number[] }) =>
  db
    .selectFrom('group')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('tenantId', '=', value.tenantId)
    .where('id', '=', anyOf(value.ids))
    .where('isInfra', '=', false),
);

/**
 * Checks that all ids are groups of the tenant; returns them without duplicates. @param field name of the field in errors
 * @throws BAD_REQUEST
 */
export async function requireGroups(
  transaction: Transaction,
  tenantId: number,
  { ids, field }: { readonly ids: readonly number[]; readonly field: string },
): Promise<number[]> {
  const uniqueIds = [...new Set(ids)];
  if (uniqueIds.length === 0) return uniqueIds;
  const [{ count } = { count: 0 }] = await transaction.run(COUNT_GROUPS, { tenantId, ids: uniqueIds });
  if (count < uniqueIds.length) throw badRequest(`\`${field}\` contains an unknown group.`);
  return uniqueIds;
}

/** Maximum number of objects of a kind that a refusal lists. */
const MAX_LISTED = 5;

interface GroupReference {
  readonly kind: string;
  readonly names: string[];
  readonly count: number;
}

const REFERENCES_TO_GROUP = query(
  'references-to-group',
  (_: Tables, { tenantId, id, now }: { tenantId: number; id: number; now: Date }) => sql<GroupReference>`
  SELECT kind, (array_agg(concat(name, ' (', id, ')') ORDER BY id))[1:${sql.lit(MAX_LISTED)}] AS names, count(*)::integer AS count
    FROM (SELECT 1 AS sort_order, 'Policies' AS kind, id, name FROM network.policy
           WHERE tenant_id = ${tenantId} AND (source_group_id = ${id} OR dest_group_id = ${id})
          UNION ALL
          SELECT 2, 'Resources', r.id, r.name FROM network.resource_group m JOIN network.resource r ON r.tenant_id = m.tenant_id AND r.id = m.resource_id
           WHERE m.tenant_id = ${tenantId} AND m.group_id = ${id}
          UNION ALL
          SELECT 3, 'Unused setup keys', id, name FROM network.enrollment
           WHERE tenant_id = ${tenantId} AND group_id = ${id} AND peer_id IS NOT NULL AND used_at IS NULL
             AND revoked_at IS NULL AND expires_at > ${now}
          UNION ALL
          SELECT 4, 'Peers without another group', p.id, p.label FROM network.member m JOIN network.peer p ON p.tenant_id = m.tenant_id AND p.id = m.peer_id
           WHERE m.tenant_id = ${tenantId} AND m.group_id = ${id} AND NOT EXISTS
                 (SELECT FROM network.member o WHERE o.tenant_id = ${tenantId} AND o.peer_id = m.peer_id AND o.group_id <> ${id})) found
   GROUP BY sort_order, kind ORDER BY sort_order`,
);

async function requireUnused(
  transaction: Transaction,
  tenantId: number,
  { id, now }: { readonly id: number; readonly now: Date },
): Promise<void> {
  const references = await transaction.run(REFERENCES_TO_GROUP, { tenantId, id, now });
  if (references.length === 0) return;
  const listed = references.map(({ kind, names, count }) => {
    const rest = count > names.length ? ` and ${count - names.length} more` : '';
    return `${kind}: ${names.join(', ')}${rest}.`;
  });
  throw conflict(`The group is in use. ${listed.join(' ')} Change or delete these first.`);
}
