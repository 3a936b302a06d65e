import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { readAddress } from '../../graph/address/address.rules.js';
import type { PlainResource } from '../../graph/resource/enforcement.actions.js';
import { createResource, deleteResource, updateResource } from '../../graph/resource/resource.actions.js';
import { RESOURCE_COLUMNS } from '../../graph/resource/resource.js';
import { createRouter, deleteRouter } from '../../graph/router/router.actions.js';
import { ROUTER_COLUMNS } from '../../graph/router/router.js';
import { DEFAULT_METRIC } from '../../graph/router/router.rules.js';
import type { ResourceEntry, RouterEntry } from './network-document.js';
import { hasSameIds, matchEntries } from './network-document.rules.js';
import { atEntry, type WriteContext } from './write-context.actions.js';

/** The entries of one list of a network. */
interface EntriesOfNetwork<Entry> {
  readonly networkId: number;
  /** The path of the network in the document, such as `networks[0]`. */
  readonly place: string;
  readonly entries: readonly Entry[];
}

const RESOURCES = query('resources-to-write', (db: Tables, value: { tenantId: number; networkId: number }) =>
  db
    .selectFrom('resource')
    .select(RESOURCE_COLUMNS)
    .where('tenantId', '=', value.tenantId)
    .where('networkId', '=', value.networkId)
    .orderBy('resource.id'),
);

/** Replaces the resources of the network by these. */
export async function writeResources(
  { database, change, groupOf }: WriteContext,
  { networkId, place: network, entries }: EntriesOfNetwork<ResourceEntry>,
): Promise<void> {
  const { transaction, tenantId } = change.within;
  const rows = await transaction.run(RESOURCES, { tenantId, networkId });
  const list = { place: `${network}.resources`, entries, nameOf: ({ name }: ResourceEntry) => name.trim() };
  const { added, kept, removed } = matchEntries(list, rows, ({ name }) => name);
  const inputOf = ({ name, address, kind, groups, enabled }: ResourceEntry) => {
    const ids = (groups ?? []).map(groupOf);
    return { name, ...readAddress(address, kind), enabled: enabled ?? true, groups: ids };
  };
  for (const { id } of removed) await deleteResource(database, change, { networkId, id });
  for (const { entry, place, row } of kept) {
    await atEntry(place, async () => {
      const input = inputOf(entry);
      if (!isSameResource(row, input))
        await updateResource(database, change, { place: { networkId, id: row.id }, input });
    });
  }
  for (const { entry, place } of added)
    await atEntry(place, async () => createResource(database, change, { ...inputOf(entry), networkId }));
}

type ResourceSpec = Pick<PlainResource, 'address' | 'kind' | 'enabled' | 'groups'>;

function isSameResource(row: ResourceSpec, input: ResourceSpec): boolean {
  const isSame = row.address === input.address && row.kind === input.kind && row.enabled === input.enabled;
  return isSame && hasSameIds(row.groups, input.groups);
}

const ROUTERS = query('routers-to-write', (db: Tables, value: { tenantId: number; networkId: number }) =>
  db
    .selectFrom('router')
    .select(ROUTER_COLUMNS)
    .where('tenantId', '=', value.tenantId)
    .where('networkId', '=', value.networkId)
    .orderBy('id'),
);

/** Replaces the routers of the network by these. A router with other settings is deleted and created again. */
export async function writeRouters(
  { database, change, peerOf }: WriteContext,
  { networkId, place: network, entries }: EntriesOfNetwork<RouterEntry>,
): Promise<void> {
  const { transaction, tenantId } = change.within;
  const rows = await transaction.run(ROUTERS, { tenantId, networkId });
  const inputs: RouterSpec[] = [];
  for (const [index, { peer, peerId, ...terms }] of entries.entries())
    inputs.push(
      await atEntry(`${network}.routers[${index}]`, async () => ({ ...terms, peerId: peerOf(peer, peerId) })),
    );
  const list = { place: `${network}.routers`, entries: inputs, nameOf: nameOfRouter };
  const { added, removed } = matchEntries(list, rows, nameOfRouter);
  for (const { id } of removed) await deleteRouter(database, change, { networkId, id });
  for (const { entry, place } of added)
    await atEntry(place, async () => createRouter(database, change, { ...entry, networkId }));
}

type RouterSpec = Omit<RouterEntry, 'peer' | 'peerId'> & { readonly peerId: number };

/** The peer and the settings of a router. */
function nameOfRouter({ peerId, metric, masquerade, enabled }: RouterSpec): string {
  return JSON.stringify([peerId, metric ?? DEFAULT_METRIC, masquerade ?? true, enabled ?? true]);
}
