import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import type { Database } from '../../../../kernel/database/database.js';
import { Comparison, plansOf } from '../netbird-objects/comparison.js';
import { readObject, type ObjectKind } from '../netbird-objects/actual.rules.js';
import type { Lease } from './lease.actions.js';
import { recordMachines, recordSeen } from './machine.actions.js';
import { machinesOf } from '../netbird-objects/machine.rules.js';
import { NetbirdRefusal, type NetbirdApi } from '../netbird-api/netbird-api.js';
import { pathOf } from '../netbird-api/netbird-paths.rules.js';
import { driftsOf, recordDrifts } from '../netbird-drift/drift.actions.js';
import { deleteObjects, readState, recordObject, revokeEnrollment } from '../netbird-objects/object.actions.js';
import type { Plan, RemoveStep, WriteStep } from '../netbird-objects/plan.rules.js';
import { readServer, readTenant } from './server-state.js';
import { tenantPrefix } from '../netbird-objects/desired.rules.js';

/** The dependencies of a reconciliation. */
export interface ReconciliationDependencies {
  readonly api: NetbirdApi;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly now: () => Date;
  readonly log: Logger;
}

/** Objects are created before the objects that refer to them, and deleted after them. */
const WRITE_ORDER: readonly ObjectKind[] = ['peer', 'group', 'network', 'resource', 'router', 'policy', 'key'];
const REMOVE_ORDER: readonly ObjectKind[] = ['key', 'policy', 'router', 'resource', 'network', 'group', 'peer'];

/** The result of a reconciliation: done, more work left, or some objects refused. */
type Outcome = 'done' | 'left' | 'refused';

/** Reconciles the objects of one tenant with the graph; idempotent after a crash at any line. @throws NetbirdOutage */
export async function reconcileTenant(
  dependencies: ReconciliationDependencies,
  tenantId: number,
  lease: Lease,
): Promise<Outcome> {
  const { api, database, now } = dependencies;
  const { installation } = api.config;
  const prefix = tenantPrefix(installation, tenantId);
  const list = async (path: string) => {
    await lease.isHeld();
    return api.list(path);
  };
  const snapshot = await readTenant(list, await readServer(database, list, { installation, prefix }), prefix);
  const state = await readState(database, { installation, tenantId }, now());
  await recordMachines(dependencies, state, { snapshot, now: now() });
  const comparison = new Comparison(state, snapshot);
  await recordDrifts(database, tenantId, { drifts: driftsOf(plansOf(comparison)), now: now() });
  const work = new Work(dependencies, comparison, lease);
  // Removes machines of deleted peers before any other change.
  await work.removeMachines(comparison.plan('peer'));
  for (const kind of WRITE_ORDER) await work.write(comparison.plan(kind).writes);
  for (const kind of REMOVE_ORDER) await work.remove(kind, comparison.plan(kind));
  if (work.outcome !== 'done') return work.outcome;
  await lease.recordRevision(state.graph.revision);
  await recordSeen(dependencies, tenantId, { machines: machinesOf(state, snapshot), now: now() });
  return 'done';
}

/** Runs steps while the lease lasts. A refused step does not stop the others. */
class Work {
  outcome: Outcome = 'done';

  constructor(
    private readonly dependencies: ReconciliationDependencies,
    private readonly comparison: Comparison,
    private readonly lease: Lease,
  ) {}

  async write(steps: readonly WriteStep[]): Promise<void> {
    for (const step of steps) await this.attempt(() => this.writeObject(step));
  }

  async removeMachines({ forgotten }: Plan): Promise<void> {
    for (const machine of forgotten.flatMap((id) => this.comparison.machinesOf(id)))
      await this.attempt(() => this.dependencies.api.remove(`/api/peers/${machine}`));
  }

  async remove(kind: ObjectKind, { removals, forgotten }: Plan): Promise<void> {
    const { database } = this.dependencies;
    for (const step of removals) await this.attempt(() => this.removeObject(step));
    if (this.outcome !== 'done') return;
    await deleteObjects(database, this.tenantId, { kind, ids: forgotten });
    if (kind === 'peer') await deleteObjects(database, this.tenantId, { kind: 'machine', ids: forgotten });
  }

  private get tenantId(): number {
    return this.comparison.state.graph.tenantId;
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    if (!(await this.lease.isHeld())) {
      if (this.outcome === 'done') this.outcome = 'left';
      return;
    }
    try {
      await work();
    } catch (error) {
      if (!(error instanceof NetbirdRefusal)) throw error;
      this.outcome = 'refused';
      this.dependencies.log.warn({ tenantId: this.tenantId, reason: error.message }, 'NetBird rejected an object');
    }
  }

  private async writeObject(step: WriteStep): Promise<void> {
    const { kind, desired, actual } = step;
    // A setup key cannot be created again, because its machine has the old one; its loss is recorded as drift.
    if (kind === 'key' && (!actual || actual.fields.revoked === true))
      return revokeEnrollment(this.dependencies.database, this.tenantId, {
        peerId: desired.id,
        now: this.dependencies.now(),
      });
    const { api, database } = this.dependencies;
    const path = pathOf(kind, desired.parentId);
    const answer = await (actual
      ? api.write('PUT', `${path}/${actual.externalId}`, bodyOf(step))
      : api.write('POST', path, bodyOf(step)));
    const { fields } = readObject(kind, answer, desired.parentId);
    const { id, parentId } = desired;
    const object = { kind, id, externalId: answer.id, parentId, sent: desired.fields, answered: fields };
    this.comparison.addKnown(await recordObject(database, this.tenantId, object));
  }

  private removeObject({ kind, actual, externalId }: RemoveStep): Promise<void> {
    return this.dependencies.api.remove(`${pathOf(kind, actual.parentId)}/${externalId}`);
  }
}

/** The body of a request: a group includes its resources, and a key only the fields that can change. */
function bodyOf({ kind, desired: { fields }, actual }: WriteStep): object {
  if (kind === 'group' || kind === 'peer') return { ...fields, resources: actual?.members ?? [] };
  return kind === 'key' ? { revoked: fields.revoked, auto_groups: fields.auto_groups } : fields;
}
