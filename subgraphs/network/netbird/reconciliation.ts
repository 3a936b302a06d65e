import type { Logger } from '../../../kernel/log.js';
import type { Database } from '../../../kernel/database.js';
import { OBJECT_KINDS, readObject, type Findings, type FoundObject, type ObjectKind } from './found.rules.js';
import type { Lease } from './lease.actions.js';
import { machinesOf, noteMachines } from './machine.actions.js';
import { NetbirdRefusal, type NetbirdApi } from './netbird-api.js';
import {
  forgetObjects,
  noteDrift,
  readState,
  RECORD_OBJECT,
  recordValues,
  type TenantState,
} from './object.actions.js';
import { planKind, type KnownObject, type Plan, type RemoveStep, type WriteStep } from './plan.rules.js';
import { graphIds, peerName, peerOfName, tenantPrefix, wantedObjects } from './wanted.rules.js';

/** What a reconciliation works with. */
export interface Workplace {
  readonly api: NetbirdApi;
  readonly database: Database;
  readonly now: () => Date;
  readonly log: Logger;
}

/** Milliseconds before the end of a lease at which no request is begun any more. */
const MARGIN_MS = 30_000;

/** Objects are made before those that name them, and removed after them. */
const WRITE_ORDER: readonly ObjectKind[] = ['peer', 'group', 'network', 'resource', 'router', 'policy', 'key'];
const REMOVE_ORDER: readonly ObjectKind[] = ['key', 'policy', 'router', 'resource', 'network', 'group', 'peer'];

/** Reads all that the server keeps under our names. @throws NetbirdSilence, NetbirdRefusal @param prefix of names */
export async function readServer({ api, now }: Workplace, prefix: string): Promise<Findings> {
  const at = now();
  const read = async (kind: ObjectKind, path: string, parentId?: string) =>
    (await api.list(path)).map((answer) => readObject(kind, answer, parentId));
  const ours = async (kind: ObjectKind) =>
    (await read(kind, pathOf(kind, null))).filter(({ name }) => name.startsWith(prefix));
  const groups = (await ours('group')).map((group): FoundObject =>
    peerOfName(group.name) ? { ...group, kind: 'peer' } : group,
  );
  const networks = await ours('network');
  const objects = [...groups, ...networks, ...(await ours('policy')), ...(await ours('key'))];
  for (const { externalId } of networks)
    for (const kind of ['resource', 'router'] as const)
      objects.push(...(await read(kind, pathOf(kind, externalId), externalId)));
  return { at, objects, peers: await api.peers() };
}

/** A tenant compared with the server, step by step: each kind is planned when those before it are done. */
export class Comparison {
  private readonly known = new Map<string, KnownObject>();

  constructor(
    readonly state: TenantState,
    private readonly findings: Findings,
  ) {
    for (const row of state.known) this.known.set(`${row.kind} ${row.id}`, row);
    const rest = { kind: 'machine', parentId: null, sentHash: null, answeredHash: null } as const;
    const [createdAt, sentAt] = [findings.at, findings.at];
    for (const { id, externalId } of machinesOf(state, findings))
      this.known.set(`machine ${id}`, { ...rest, id, externalId, createdAt, sentAt });
  }

  /** Notes the id of what was just created. */
  learn(row: KnownObject): void {
    this.known.set(`${row.kind} ${row.id}`, row);
  }

  /** The machines at the server of a peer, which may be gone from the graph. */
  machinesOf(peerId: number): string[] {
    const name = peerName(this.state.graph.tenantId, peerId);
    const joined = this.findings.peers.filter(({ groupNames }) => groupNames.includes(name));
    return [this.externalIdOf('machine', peerId) ?? [], joined.map(({ externalId }) => externalId)].flat();
  }

  externalIdOf(kind: ObjectKind | 'machine', id: number): string | undefined {
    return this.known.get(`${kind} ${id}`)?.externalId ?? undefined;
  }

  plan(kind: ObjectKind): Plan {
    const { graph, reserved } = this.state;
    const known = [...this.known.values()].filter((row) => row.kind === kind);
    const isBegun = (id: number | undefined) => (kind === 'peer' || kind === 'key') && reserved.has(id ?? 0);
    return planKind(
      wantedObjects(kind, graph, (kindOf, id) => this.externalIdOf(kindOf, id)),
      new Map(known.filter(({ id }) => !isBegun(id)).map((row) => [row.id, row])),
      {
        found: this.foundOf(kind).filter(({ name }) => !isBegun(peerOfName(name)?.peerId)),
        ids: graphIds(kind, graph),
        isSettled: ({ sentAt }) => sentAt < this.findings.at,
      },
    );
  }

  private foundOf(kind: ObjectKind): FoundObject[] {
    const prefix = tenantPrefix(this.state.graph.tenantId);
    const mine = this.findings.objects.filter(({ name }) => name.startsWith(prefix));
    if (kind !== 'resource' && kind !== 'router') return mine.filter((each) => each.kind === kind);
    const networks = new Set(mine.filter((each) => each.kind === 'network').map(({ externalId }) => externalId));
    return this.findings.objects.filter((each) => each.kind === kind && networks.has(each.parentId ?? ''));
  }
}

/** What somebody else did to the tenant's objects is written down. Returns how much there was, and whether all is as it should be. */
export async function findDrift(
  { database, now }: Workplace,
  comparison: Comparison,
): Promise<{ drifts: number; isRight: boolean }> {
  const plans = OBJECT_KINDS.map((kind) => comparison.plan(kind));
  const { tenantId } = comparison.state.graph;
  let drifts = 0;
  for (const plan of plans) drifts += await noteDrift(database, tenantId, { plan, now: now() });
  return { drifts, isRight: plans.every(({ writes, removals }) => writes.length + removals.length === 0) };
}

/**
 * Makes the server's objects of one tenant what the graph says; safe to repeat after any line.
 * Returns the revision of the graph that the server has now; undefined: more is left, or was refused.
 * @throws NetbirdSilence
 */
export async function reconcileTenant(
  place: Workplace,
  tenantId: number,
  { endsAt }: Lease,
): Promise<{ revision: number | undefined; wasRefused: boolean }> {
  const { database, now } = place;
  const findings = await readServer(place, tenantPrefix(tenantId));
  const state = await readState(database, tenantId, now());
  await noteMachines(database, state, { machines: machinesOf(state, findings), now: now() });
  const comparison = new Comparison(state, findings);
  await findDrift(place, comparison);
  const work = new Work(place, comparison, endsAt.getTime() - MARGIN_MS);
  for (const kind of WRITE_ORDER) await work.write(comparison.plan(kind).writes);
  for (const kind of REMOVE_ORDER) await work.remove(kind, comparison.plan(kind));
  return { revision: work.isDone ? state.graph.revision : undefined, wasRefused: work.wasRefused };
}

/** Takes steps until its time is over; one that is refused does not keep others from being taken. */
class Work {
  isDone = true;
  wasRefused = false;

  constructor(
    private readonly place: Workplace,
    private readonly comparison: Comparison,
    private readonly endMs: number,
  ) {}

  async write(steps: readonly WriteStep[]): Promise<void> {
    for (const step of steps) await this.attempt(() => (step.kind === 'key' ? this.keepKey(step) : this.send(step)));
  }

  async remove(kind: ObjectKind, { removals, forgotten }: Plan): Promise<void> {
    const { api, database } = this.place;
    const gone = kind === 'peer' ? forgotten.flatMap((id) => this.comparison.machinesOf(id)) : [];
    for (const machine of gone) await this.attempt(() => api.remove(`/api/peers/${machine}`));
    for (const step of removals) await this.attempt(() => this.takeAway(step));
    if (!this.isDone) return;
    await forgetObjects(database, this.tenantId, { kind, ids: forgotten });
    if (kind === 'peer') await forgetObjects(database, this.tenantId, { kind: 'machine', ids: forgotten });
  }

  private get tenantId(): number {
    return this.comparison.state.graph.tenantId;
  }

  private async attempt(take: () => Promise<void>): Promise<void> {
    if (this.place.now().getTime() > this.endMs) this.isDone = false;
    else
      try {
        await take();
      } catch (error) {
        if (!(error instanceof NetbirdRefusal)) throw error;
        this.isDone = false;
        this.wasRefused = true;
        this.place.log.warn({ tenantId: this.tenantId, reason: error.message }, 'NetBird refused an object');
      }
  }

  private async send({ kind, wanted, found }: WriteStep): Promise<void> {
    const { api, database, now } = this.place;
    const path = pathOf(kind, wanted.parentId);
    const body =
      kind === 'group' || kind === 'peer' ? { ...wanted.fields, resources: found?.members ?? [] } : wanted.fields;
    const answer = await (found
      ? api.write('PUT', `${path}/${found.externalId}`, body)
      : api.write('POST', path, body));
    const { fields } = readObject(kind, answer, wanted.parentId);
    const { id, parentId } = wanted;
    const object = { kind, id, externalId: answer.id, parentId, sent: wanted.fields, answered: fields };
    const values = recordValues(this.tenantId, object, now());
    await database.rows(RECORD_OBJECT, values);
    const hashes = { sentHash: String(values[5]), answeredHash: String(values[6]) };
    this.comparison.learn({ kind, id, externalId: answer.id, parentId, ...hashes, createdAt: now(), sentAt: now() });
  }

  /** A setup key cannot be made again, as its machine has the old one: who lost it is told so. */
  private async keepKey({ wanted: { id }, found }: WriteStep): Promise<void> {
    if (!found) await this.place.database.rows(REVOKE_ENROLLMENT, [this.tenantId, id, this.place.now()]);
  }

  private takeAway({ kind, found, externalId }: RemoveStep): Promise<void> {
    return this.place.api.remove(`${pathOf(kind, found.parentId)}/${externalId}`);
  }
}

const REVOKE_ENROLLMENT = {
  name: 'netbird-revoke-enrollment',
  text: `UPDATE network.enrollment SET revoked_at = $3 WHERE tenant_id = $1 AND peer_id = $2 AND used_at IS NULL AND revoked_at IS NULL`,
};

/** Where objects of a kind are listed and created. */
function pathOf(kind: ObjectKind, networkId: string | null): string {
  if (kind === 'resource' || kind === 'router') return `/api/networks/${networkId}/${kind}s`;
  return {
    group: '/api/groups',
    peer: '/api/groups',
    network: '/api/networks',
    policy: '/api/policies',
    key: '/api/setup-keys',
  }[kind];
}
