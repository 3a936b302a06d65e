import { createHash } from 'node:crypto';
import type { TenantSnapshot, NetbirdPeer } from './actual.rules.js';
import type { KnownObject } from './plan.rules.js';
import { peerName, type TenantGraph } from './desired.rules.js';

/** A peer and its machine on the server. */
export interface Machine extends Pick<NetbirdPeer, 'externalId' | 'isConnected' | 'ip'> {
  readonly id: number;
}

/** Finds the machines of a tenant's peers: by the known id, else by the peer's own group, which the setup key assigned. */
export function machinesOf(
  { graph, known }: { readonly graph: Pick<TenantGraph, 'prefix' | 'peers'>; readonly known: readonly KnownObject[] },
  { peers }: Pick<TenantSnapshot, 'peers'>,
): Machine[] {
  const byId = new Map(peers.map((peer) => [peer.externalId, peer]));
  const byGroup = new Map(peers.flatMap((peer) => peer.groupNames.map((name) => [name, peer])));
  const ids = new Map(known.filter(({ kind }) => kind === 'machine').map((row) => [row.id, row.externalId ?? '']));
  return graph.peers.flatMap(({ id }) => {
    const machine = byId.get(ids.get(id) ?? '') ?? byGroup.get(peerName(graph.prefix, id));
    return machine ? [{ id, externalId: machine.externalId, isConnected: machine.isConnected, ip: machine.ip }] : [];
  });
}

/** Machines that disappeared from the server although their peers exist: somebody deleted them there. */
export function lostMachines(
  { graph, known }: { readonly graph: Pick<TenantGraph, 'peers'>; readonly known: readonly KnownObject[] },
  machines: readonly Machine[],
  readAt: Date,
): KnownObject[] {
  const there = new Set(machines.map(({ id }) => id));
  const peers = new Set(graph.peers.map(({ id }) => id));
  return known.filter(
    ({ kind, id, sentAt }) => kind === 'machine' && peers.has(id) && !there.has(id) && sentAt < readAt,
  );
}

/** A substitute for the hash of the configuration that the server gives its machines at a graph revision: SHA-256, hex; null without a revision. */
export function revisionHash(tenantId: number, revision: number | null): string | null {
  return revision === null ? null : createHash('sha256').update(`netbird ${tenantId} ${revision}`).digest('hex');
}
