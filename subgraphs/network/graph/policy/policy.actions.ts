import type { Database, Snapshot } from '../../../../kernel/database/database.js';
import { badRequest, conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/viewer.js';
import { checkName } from '../../name.rules.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import { POLICY_COLUMNS, type Policy } from './policy.js';
import { applyPolicyInput, DEFAULT_TERMS, type PolicyInput } from './policy.rules.js';

const POLICIES_OF_USER = {
  name: 'policies-of-user',
  text: `SELECT ${POLICY_COLUMNS} FROM network.policy p JOIN network.tenant t ON t.id = p.tenant_id WHERE t.user_id = $1 ORDER BY p.id`,
};

/** The viewer's policies, oldest first. @throws FORBIDDEN until the network is provisioned */
export async function listPolicies(database: Database, viewer: UserViewer): Promise<Policy[]> {
  const policies = await database.rows<Policy>(POLICIES_OF_USER, [viewer.userId]);
  if (policies.length === 0) await tenantOf(database, viewer);
  return policies;
}

/** Makes a policy. @throws BAD_REQUEST for its terms and for groups that are not the viewer's */
export function createPolicy(
  database: Database,
  change: GraphChange,
  wishes: PolicyInput & { sourceGroupId: number; destGroupId: number },
): Promise<Policy> {
  const terms = applyPolicyInput(DEFAULT_TERMS, wishes);
  return changeGraph(database, change, async (transaction, tenantId) => {
    const labels = await groupLabels(transaction, tenantId, wishes);
    const name = wishes.name == null ? labels.join('-to-') : checkName(wishes.name);
    const [policy] = await transaction.execute<Policy>(
      `INSERT INTO network.policy AS p
         (tenant_id, name, source_group_id, dest_group_id, protocol, ports, bidirectional, action, enabled, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${POLICY_COLUMNS}`,
      [
        tenantId,
        name,
        wishes.sourceGroupId,
        wishes.destGroupId,
        terms.protocol,
        terms.ports,
        terms.bidirectional,
        terms.action,
        terms.enabled,
        change.now,
      ],
    );
    if (!policy) throw new Error('an insert returned no row');
    return policy;
  });
}

/** Changes a policy: what is left out stays. @throws NOT_FOUND, CONFLICT for a managed one, BAD_REQUEST as for a new one */
export function updatePolicy(
  database: Database,
  change: GraphChange,
  { id, wishes }: { readonly id: number; readonly wishes: PolicyInput },
): Promise<Policy> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const before = await ownPolicy(transaction, tenantId, id);
    const terms = applyPolicyInput(before, wishes);
    const groups = {
      sourceGroupId: wishes.sourceGroupId ?? before.sourceGroupId,
      destGroupId: wishes.destGroupId ?? before.destGroupId,
    };
    await groupLabels(transaction, tenantId, groups);
    const after = {
      ...before,
      ...terms,
      ...groups,
      ports: [...terms.ports],
      name: wishes.name == null ? before.name : checkName(wishes.name),
    };
    await transaction.execute(
      `UPDATE network.policy SET name = $1, source_group_id = $2, dest_group_id = $3, protocol = $4, ports = $5,
              bidirectional = $6, action = $7, enabled = $8 WHERE id = $9`,
      [
        after.name,
        after.sourceGroupId,
        after.destGroupId,
        after.protocol,
        after.ports,
        after.bidirectional,
        after.action,
        after.enabled,
        id,
      ],
    );
    return after;
  });
}

/** Deletes a policy. @throws NOT_FOUND, CONFLICT for a managed one */
export function deletePolicy(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownPolicy(transaction, tenantId, id);
    await transaction.execute('DELETE FROM network.policy WHERE id = $1', [id]);
  });
}

/** A policy that may be changed. @throws NOT_FOUND, CONFLICT for a managed one */
export async function ownPolicy(transaction: Snapshot, tenantId: number, id: number): Promise<Policy> {
  const [policy] = await transaction.execute<Policy>(
    `SELECT ${POLICY_COLUMNS} FROM network.policy p WHERE p.tenant_id = $1 AND p.id = $2`,
    [tenantId, id],
  );
  if (!policy) throw notFound('The policy does not exist.');
  if (policy.isManaged) throw conflict('A managed policy is read-only.');
  return policy;
}

/** Labels of source and destination. @throws BAD_REQUEST alike for groups that are none and groups of others */
export async function groupLabels(
  transaction: Snapshot,
  tenantId: number,
  { sourceGroupId, destGroupId }: { readonly sourceGroupId: number; readonly destGroupId: number },
): Promise<string[]> {
  const groups = await transaction.execute<{ id: number; label: string }>(
    'SELECT id, label FROM network.group WHERE tenant_id = $1 AND id IN ($2, $3) AND NOT is_infra',
    [tenantId, sourceGroupId, destGroupId],
  );
  const label = (id: number, field: string) => {
    const group = groups.find((candidate) => candidate.id === id);
    if (!group) throw badRequest(`\`${field}\` is not one of your groups.`);
    return group.label;
  };
  return [label(sourceGroupId, 'source_group'), label(destGroupId, 'dest_group')];
}
