import { OBJECT_KINDS, type TenantSnapshot, type ActualObject, type ObjectKind } from './actual.rules.js';
import { machinesOf } from './machine.rules.js';
import type { TenantState } from './object.actions.js';
import { planKind, type KnownObject, type Plan } from './plan.rules.js';
import { graphIds, peerName, peerOfName, desiredObjects } from './desired.rules.js';

/** Compares a tenant with the server, kind by kind: each kind is planned after the previous ones are done. */
export class Comparison {
  private readonly known = new Map<string, KnownObject>();

  constructor(
    readonly state: TenantState,
    private readonly snapshot: TenantSnapshot,
  ) {
    for (const row of state.known) if (row.kind !== 'machine') this.known.set(`${row.kind} ${row.id}`, row);
    const rest = { kind: 'machine', parentId: null, sentHash: null, answeredHash: null, sentAt: snapshot.at } as const;
    for (const { id, externalId } of machinesOf(state, snapshot))
      this.known.set(`machine ${id}`, { ...rest, id, externalId });
  }

  /** Records the id of a created object. */
  addKnown(row: KnownObject): void {
    this.known.set(`${row.kind} ${row.id}`, row);
  }

  /** The server's machines of a peer; the peer may be deleted from the graph. */
  machinesOf(peerId: number): string[] {
    const row = this.state.known.find(({ kind, id }) => kind === 'machine' && id === peerId);
    const name = peerName(this.state.graph.prefix, peerId);
    const { peers } = this.snapshot;
    const there = peers.filter((peer) => peer.externalId === row?.externalId || peer.groupNames.includes(name));
    return there.map(({ externalId }) => externalId);
  }

  plan(kind: ObjectKind): Plan {
    const { graph, reserved } = this.state;
    const rows = [...this.known.values()].filter((row) => row.kind === kind);
    const isBegun = (id = 0) => reserved.has(id) && (kind === 'key' || (kind === 'peer' && !this.isPeer(id)));
    const known = new Map(rows.filter(({ id }) => !isBegun(id)).map((row) => [row.id, row]));
    return planKind(
      desiredObjects(kind, graph, (kindOf, id) => this.externalIdOf(kindOf, id)).filter(({ id }) => !isBegun(id)),
      known,
      {
        actual: this.actualOf(kind).filter(({ name }) => !isBegun(peerOfName(name))),
        ids: graphIds(kind, graph),
        isSettled: ({ sentAt }) => sentAt < this.snapshot.at,
        isOurs: ({ name }) => kind === 'key' || (kind === 'peer' && known.has(peerOfName(name) ?? 0)),
      },
    );
  }

  private isPeer(id: number): boolean {
    return this.state.graph.peers.some((peer) => peer.id === id);
  }

  private externalIdOf(kind: ObjectKind | 'machine', id: number): string | undefined {
    return this.known.get(`${kind} ${id}`)?.externalId ?? undefined;
  }

  private actualOf(kind: ObjectKind): ActualObject[] {
    const { objects } = this.snapshot;
    const mine = objects.filter(({ name }) => name.startsWith(this.state.graph.prefix));
    if (kind !== 'resource' && kind !== 'router') return mine.filter((each) => each.kind === kind);
    const networks = new Set(mine.filter((each) => each.kind === 'network').map(({ externalId }) => externalId));
    return objects.filter((each) => each.kind === kind && networks.has(each.parentId ?? ''));
  }
}

/** The plan of each kind, as far as it is known before any of them is applied. */
export function plansOf(comparison: Comparison): Plan[] {
  return OBJECT_KINDS.map((kind) => comparison.plan(kind));
}
