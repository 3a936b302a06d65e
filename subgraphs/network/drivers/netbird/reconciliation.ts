import type { Jobs } from '../../../../kernel/jobs/jobs.js';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import type { Database } from '../../../../kernel/database/database.js';
import { Comparison, plansOf } from '../netbird-objects/comparison.js';
import { readObject, type ObjectKind } from '../netbird-objects/actual.rules.js';
import type { Lease } from './lease.actions.js';
import { noteMachines, noteSeen } from './machine.actions.js';
import { machinesOf } from '../netbird-objects/machine.rules.js';
import { NetbirdRefusal, type NetbirdApi } from '../netbird-api/netbird-api.js';
import { pathOf } from '../netbird-api/netbird-paths.rules.js';
import { driftsOf, noteDrifts } from '../netbird-drift/drift.actions.js';
import { forgetObjects, readState, recordObject, revokeEnrollment } from '../netbird-objects/object.actions.js';
import type { Plan, RemoveStep, WriteStep } from '../netbird-objects/plan.rules.js';
import { readSurface, readTenant } from './server-state.js';
import { tenantPrefix } from '../netbird-objects/desired.rules.js';

/** The dependencies of a reconciliation. */
export interface Workplace {
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

/** Reconciles the objects of one tenant with the graph; idempotent after a crash at any line. @throws NetbirdSilence */
export async function reconcileTenant(place: Workplace, tenantId: number, lease: Lease): Promise<Outcome> {
  const { api, database, now } = place;
  const { installation } = api.config;
  const prefix = tenantPrefix(installation, tenantId);
  const list = async (path: string) => {
    await lease.isHeld();
    return api.list(path);
  };
  const findings = await readTenant(list, await readSurface(list, { installation, prefix }, now), prefix);
  const state = await readState(database, { installation, tenantId }, now());
  await noteMachines(place, state, { findings, now: now() });
  const comparison = new Comparison(state, findings);
  await noteDrifts(database, tenantId, { drifts: driftsOf(plansOf(comparison)), now: now() });
  const work = new Work(place, comparison, lease);
  // Removes machines of deleted peers before any other change.
  await work.cutMachines(comparison.plan('peer'));
  for (const kind of WRITE_ORDER) await work.write(comparison.plan(kind).writes);
  for (const kind of REMOVE_ORDER) await work.remove(kind, comparison.plan(kind));
  if (work.outcome !== 'done') return work.outcome;
  const { revision } = state.graph;
  await lease.noteDone(revision);
  await noteSeen(place, { ...state, revision }, { machines: machinesOf(state, findings), now: now() });
  return 'done';
}

/** Runs steps while the lease lasts. A refused step does not stop the others. */
class Work {
  outcome: Outcome = 'done';

  constructor(
    private readonly place: Workplace,
    private readonly comparison: Comparison,
    private readonly lease: Lease,
  ) {}

  async write(steps: readonly WriteStep[]): Promise<void> {
    for (const step of steps) await this.attempt(() => this.make(step));
  }

  async cutMachines({ forgotten }: Plan): Promise<void> {
    for (const machine of forgotten.flatMap((id) => this.comparison.machinesOf(id)))
      await this.attempt(() => this.place.api.remove(`/api/peers/${machine}`));
  }

  async remove(kind: ObjectKind, { removals, forgotten }: Plan): Promise<void> {
    const { database } = this.place;
    for (const step of removals) await this.attempt(() => this.takeAway(step));
    if (this.outcome !== 'done') return;
    await forgetObjects(database, this.tenantId, { kind, ids: forgotten });
    if (kind === 'peer') await forgetObjects(database, this.tenantId, { kind: 'machine', ids: forgotten });
  }

  private get tenantId(): number {
    return this.comparison.state.graph.tenantId;
  }

  private async attempt(take: () => Promise<void>): Promise<void> {
    if (!(await this.lease.isHeld())) {
      if (this.outcome === 'done') this.outcome = 'left';
      return;
    }
    try {
      await take();
    } catch (error) {
      if (!(error instanceof NetbirdRefusal)) throw error;
      this.outcome = 'refused';
      this.place.log.warn({ tenantId: this.tenantId, reason: error.message }, 'NetBird rejected an object');
    }
  }

  private async make(step: WriteStep): Promise<void> {
    const { kind, wanted, found } = step;
    // A setup key cannot be created again, because its machine has the old one; its loss is recorded as drift.
    if (kind === 'key' && (!found || found.fields.revoked === true))
      return revokeEnrollment(this.place.database, this.tenantId, { peerId: wanted.id, now: this.place.now() });
    const { api, database, now } = this.place;
    const path = pathOf(kind, wanted.parentId);
    const answer = await (found
      ? api.write('PUT', `${path}/${found.externalId}`, bodyOf(step))
      : api.write('POST', path, bodyOf(step)));
    const { fields } = readObject(kind, answer, wanted.parentId);
    const { id, parentId } = wanted;
    const object = { kind, id, externalId: answer.id, parentId, sent: wanted.fields, answered: fields };
    this.comparison.learn(await recordObject(database, this.tenantId, { object, now: now() }));
  }

  private takeAway({ kind, found, externalId }: RemoveStep): Promise<void> {
    return this.place.api.remove(`${pathOf(kind, found.parentId)}/${externalId}`);
  }
}

/** The body of a request: a group includes its resources, and a key only the fields that can change. */
function bodyOf({ kind, wanted: { fields }, found }: WriteStep): object {
  if (kind === 'group' || kind === 'peer') return { ...fields, resources: found?.members ?? [] };
  return kind === 'key' ? { revoked: fields.revoked, auto_groups: fields.auto_groups } : fields;
}
