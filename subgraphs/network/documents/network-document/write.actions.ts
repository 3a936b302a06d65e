import type { Database } from '../../../../kernel/database/database.js';
import { badRequest } from '../../../../kernel/errors.js';
import { createGroup, deleteGroup, listGroups } from '../../graph/group/group.actions.js';
import { checkLabel } from '../../graph/group/group.rules.js';
import { createNetwork, deleteNetwork, describeNetwork, listNetworks } from '../../graph/network/network.actions.js';
import { peersOf, updatePeer } from '../../graph/peer/own-peers.actions.js';
import { createPolicy, deletePolicy, listPolicies, updatePolicy } from '../../graph/policy/policy.actions.js';
import type { Policy } from '../../graph/policy/policy.js';
import { applyPolicyInput, DEFAULT_TERMS } from '../../graph/policy/policy.rules.js';
import type { NetworkDocument, NetworkEntry, PeerEntry, PolicyEntry } from './network-document.js';
import { byName, hasSameIds, matchEntries, onlyNamed } from './network-document.rules.js';
import { writeResources, writeRouters } from './inside-network.actions.js';
import { atEntry, type PartOfChange, type WriteContext } from './write-context.actions.js';

/** Writes a document within an open change. Refusals name the entry. @throws the errors of each change */
export async function writeDocument(
  database: Database,
  change: PartOfChange,
  document: NetworkDocument,
): Promise<void> {
  const { transaction } = change.within;
  const { userId } = change.viewer;
  const removed = await addGroups(database, change, document.groups);
  const gone = new Set(removed.map(({ id }) => id));
  const kept = (await listGroups(transaction, change.viewer)).filter(({ id }) => !gone.has(id));
  const groups = byName(kept, ({ label }) => label);
  const peers = await peersOf(transaction, userId, change.now);
  const peersByLabel = byName(peers, ({ label }) => label);
  const context = {
    database,
    change,
    groupOf: (name: string) => onlyNamed(groups, { kind: 'group', name }).id,
    peerOf: (name: string, id?: number | null) => onlyNamed(peersByLabel, { kind: 'peer', name, id }).id,
  };
  await writeNetworks(context, document.networks);
  await writePeers(context, document.peers, new Map(peers.map((peer) => [peer.id, peer.groups])));
  await writePolicies(context, document.policies);
  // Last, because policies, resources and peers must have left them.
  for (const { id, label } of removed) await atEntry(`groups "${label}"`, () => deleteGroup(database, change, id));
}

/** Adds new groups. Returns those that the document does not list. */
async function addGroups(database: Database, change: PartOfChange, labels: NetworkDocument['groups']) {
  if (labels == null) return [];
  const rows = await listGroups(change.within.transaction, change.viewer);
  const list = { place: 'groups', entries: labels, nameOf: (label: string) => label };
  const { added, removed } = matchEntries(list, rows, ({ label }) => label);
  for (const { entry, place } of added) {
    await atEntry(place, async () => {
      checkLabel(entry);
      await createGroup(database, change, entry);
    });
  }
  return removed.filter(({ isDefault }) => !isDefault);
}

async function writeNetworks(context: WriteContext, entries: NetworkDocument['networks']): Promise<void> {
  if (entries == null) return;
  const { database, change } = context;
  const rows = await listNetworks(change.within.transaction, change.viewer);
  const list = { place: 'networks', entries, nameOf: ({ name }: NetworkEntry) => name.trim() };
  const { added, kept, removed } = matchEntries(list, rows, ({ name }) => name);
  for (const { id, isDefault } of removed) if (!isDefault) await deleteNetwork(database, change, id);
  for (const { entry, place, row } of kept) {
    const description = entry.description?.trim() ?? '';
    if (description !== (row.description ?? ''))
      await atEntry(place, () => describeNetwork(database, change, { id: row.id, description }));
    await writeInside(context, { entry, place, id: row.id });
  }
  for (const { entry, place } of added) {
    const { id } = await atEntry(place, async () => createNetwork(database, change, entry));
    await writeInside(context, { entry, place, id });
  }
}

async function writeInside(
  context: WriteContext,
  { entry, place, id }: { readonly entry: NetworkEntry; readonly place: string; readonly id: number },
): Promise<void> {
  if (entry.resources != null) await writeResources(context, { place, networkId: id, entries: entry.resources });
  if (entry.routers != null) await writeRouters(context, { place, networkId: id, entries: entry.routers });
}

async function writePeers(
  { database, change, groupOf, peerOf }: WriteContext,
  entries: readonly PeerEntry[] | null | undefined,
  groupsBefore: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const written = new Set<number>();
  for (const [index, { label, id: given, groups: labels }] of (entries ?? []).entries()) {
    await atEntry(`peers[${index}]`, async () => {
      const [id, groups] = [peerOf(label, given), labels.map(groupOf)];
      if (written.has(id)) throw badRequest(`The peer "${label}" is listed twice.`);
      written.add(id);
      if (!hasSameIds(groups, groupsBefore.get(id) ?? []))
        await updatePeer(database, change, { id, input: { groups } });
    });
  }
}

async function writePolicies(context: WriteContext, entries: NetworkDocument['policies']): Promise<void> {
  if (entries == null) return;
  const { database, change, groupOf } = context;
  const rows = await listPolicies(change.within.transaction, change.viewer);
  const list = { place: 'policies', entries, nameOf: nameOfPolicy };
  const own = rows.filter(({ isManaged }) => !isManaged);
  const { added, kept, removed } = matchEntries(list, own, ({ name }) => name);
  for (const { id } of removed) await deletePolicy(database, change, id);
  for (const { entry, place, row } of kept) {
    await atEntry(place, async () => {
      const input = inputOf(entry, groupOf);
      if (!isSamePolicy(row, input)) await updatePolicy(database, change, { id: row.id, input });
    });
  }
  for (const { entry, place } of added)
    await atEntry(place, async () => createPolicy(database, change, inputOf(entry, groupOf)));
}

function nameOfPolicy({ name, source, destination }: PolicyEntry): string {
  return name?.trim() ?? `${source}-to-${destination}`;
}

function inputOf(entry: PolicyEntry, groupOf: WriteContext['groupOf']) {
  const { source, destination } = entry;
  const groups = { sourceGroupId: groupOf(source), destGroupId: groupOf(destination) };
  return { ...applyPolicyInput(DEFAULT_TERMS, entry), ...groups, name: nameOfPolicy(entry) };
}

function isSamePolicy(row: Policy, input: ReturnType<typeof inputOf>): boolean {
  const { sourceGroupId, destGroupId, protocol, bidirectional, action, enabled } = row;
  const before = { protocol, ports: row.ports, bidirectional, action, enabled, sourceGroupId, destGroupId };
  return JSON.stringify({ ...before, name: row.name }) === JSON.stringify(input);
}
