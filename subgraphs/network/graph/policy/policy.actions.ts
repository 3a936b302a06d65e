import type { Database } from '../../../../kernel/database/database.js';
import type { Snapshot } from '../../../../kernel/database/in-transaction.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, conflict, notFound } from '../../../../kernel/errors.js';
import type { UserViewer } from '../../../../kernel/security/viewer.js';
import type { Tables } from '../../entities.js';
import { checkName } from '../../name.rules.js';
import { changeGraph, tenantOf, type GraphChange } from '../tenant/tenant.actions.js';
import { POLICY_COLUMNS, type Policy } from './policy.js';
import { applyPolicyInput, DEFAULT_TERMS, type PolicyInput } from './policy.rules.js';

const POLICIES_OF_USER = query('policies-of-user', (db: Tables, value: { userId: number }) =>
  db
    .selectFrom('policy')
    .innerJoin('tenant', 'tenant.id', 'policy.tenantId')
    .select(POLICY_COLUMNS)
    .where('tenant.userId', '=', value.userId)
    .orderBy('policy.id'),
);

/** The viewer's policies, oldest first. @throws FORBIDDEN until the network is provisioned */
export async function listPolicies(
  database: Pick<Database, 'run'>,
  viewer: Pick<UserViewer, 'userId'>,
): Promise<Policy[]> {
  const policies = await database.run(POLICIES_OF_USER, { userId: viewer.userId });
  if (policies.length === 0) await tenantOf(database, viewer);
  return policies;
}

/** The input for a policy. */
type PolicyFields = Omit<Policy, 'id' | 'isManaged' | 'createdAt'>;

const INSERT_POLICY = query('insert-policy', (db: Tables, value: PolicyFields & { tenantId: number; now: Date }) =>
  db
    .insertInto('policy')
    .values({
      tenantId: value.tenantId,
      name: value.name,
      sourceGroupId: value.sourceGroupId,
      destGroupId: value.destGroupId,
      protocol: value.protocol,
      ports: value.ports,
      bidirectional: value.bidirectional,
      action: value.action,
      enabled: value.enabled,
      createdAt: value.now,
    })
    .returning(POLICY_COLUMNS),
);

/** Creates a policy. @throws BAD_REQUEST for its terms and for groups that are not the viewer's */
export function createPolicy(
  database: Database,
  change: GraphChange,
  input: PolicyInput & { sourceGroupId: number; destGroupId: number },
): Promise<Policy> {
  const terms = applyPolicyInput(DEFAULT_TERMS, input);
  return changeGraph(database, change, async (transaction, tenantId) => {
    const labels = await groupLabels(transaction, tenantId, input);
    const name = input.name == null ? labels.join('-to-') : checkName(input.name);
    const { sourceGroupId, destGroupId } = input;
    const fields = { ...terms, ports: [...terms.ports], name, sourceGroupId, destGroupId };
    const [policy] = await transaction.run(INSERT_POLICY, { ...fields, tenantId, now: change.now });
    if (!policy) throw new Error('an insert returned no row');
    return policy;
  });
}

const UPDATE_POLICY = query('update-policy', (db: Tables, value: PolicyFields & { tenantId: number; id: number }) =>
  db
    .updateTable('policy')
    .set({
      name: value.name,
      sourceGroupId: value.sourceGroupId,
      destGroupId: value.destGroupId,
      protocol: value.protocol,
      ports: value.ports,
      bidirectional: value.bidirectional,
      action: value.action,
      enabled: value.enabled,
    })
    .where('tenantId', '=', value.tenantId)
    .where('id', '=', value.id),
);

/**
 * Changes a policy; omitted fields keep their values. @throws NOT_FOUND, CONFLICT for a managed one, BAD_REQUEST as for
 * a new one
 */
export function updatePolicy(
  database: Database,
  change: GraphChange,
  { id, input }: { readonly id: number; readonly input: PolicyInput },
): Promise<Policy> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    const before = await ownPolicy(transaction, tenantId, id);
    const terms = applyPolicyInput(before, input);
    const groups = {
      sourceGroupId: input.sourceGroupId ?? before.sourceGroupId,
      destGroupId: input.destGroupId ?? before.destGroupId,
    };
    await groupLabels(transaction, tenantId, groups);
    const after = {
      ...before,
      ...terms,
      ...groups,
      ports: [...terms.ports],
      name: input.name == null ? before.name : checkName(input.name),
    };
    await transaction.run(UPDATE_POLICY, { ...after, tenantId });
    return after;
  });
}

const DELETE_POLICY = query('delete-policy', (db: Tables, value: { tenantId: number; id: number }) =>
  db.deleteFrom('policy').where('tenantId', '=', value.tenantId).where('id', '=', value.id),
);

/** Deletes a policy. @throws NOT_FOUND, CONFLICT for a managed one */
export function deletePolicy(database: Database, change: GraphChange, id: number): Promise<void> {
  return changeGraph(database, change, async (transaction, tenantId) => {
    await ownPolicy(transaction, tenantId, id);
    await transaction.run(DELETE_POLICY, { tenantId, id });
  });
}

const POLICY_OF_TENANT = query('policy-of-tenant', (db: Tables, value: { tenantId: number; id: number }) =>
  db.selectFrom('policy').select(POLICY_COLUMNS).where('tenantId', '=', value.tenantId).where('id', '=', value.id),
);

/** A policy that can be changed. @throws NOT_FOUND, CONFLICT for a managed one */
export async function ownPolicy(transaction: Snapshot, tenantId: number, id: number): Promise<Policy> {
  const [policy] = await transaction.run(POLICY_OF_TENANT, { tenantId, id });
  if (!policy) throw notFound('The policy does not exist.');
  if (policy.isManaged) throw conflict('A managed policy is read-only.');
  return policy;
}

const GROUP_LABELS = query(
  'labels-of-two-groups',
  (db: Tables, value: { tenantId: number; sourceGroupId: number; destGroupId: number }) =>
    db
      .selectFrom('group')
      .select(['id', 'label'])
      .where('tenantId', '=', value.tenantId)
      .where('id', 'in', [value.sourceGroupId, value.destGroupId])
      .where('isInfra', '=', false),
);

/** Labels of source and destination. @throws BAD_REQUEST, also for groups of other users */
export async function groupLabels(
  transaction: Snapshot,
  tenantId: number,
  { sourceGroupId, destGroupId }: { readonly sourceGroupId: number; readonly destGroupId: number },
): Promise<string[]> {
  const groups = await transaction.run(GROUP_LABELS, { tenantId, sourceGroupId, destGroupId });
  const label = (id: number, field: string) => {
    const group = groups.find((candidate) => candidate.id === id);
    if (!group) throw badRequest(`\`${field}\` is not one of your groups.`);
    return group.label;
  };
  return [label(sourceGroupId, 'source_group'), label(destGroupId, 'dest_group')];
}
