import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { conflict, rateLimited } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { countIssuedInDay } from '../../certificates/authority/issued-count.actions.js';
import { namesToResolve } from '../../graph/region/resolved-address.rules.js';
import { increaseGraphRevision, ownerOf } from '../../graph/tenant/tenant.actions.js';
import type { FoundName } from '../../graph/lookup/lookup.js';
import {
  differenceOf,
  readFound,
  type ResolvableResource,
  type ResourceAddress,
} from '../../graph/lookup/lookup.rules.js';

/**
 * Maximum certificates of a router per day; above it, its resolved addresses are refused. Each added or removed address
 * causes a new certificate, and the previous ones are on all blocklists until they expire.
 */
const MAX_CERTIFICATES = 48;

/** Maximum number of resolved addresses in a private network. */
const MAX_ADDRESSES_OF_TENANT = 2_000;

/** The reporting router. */
interface Router {
  readonly id: number;
  readonly tenantId: number;
}

const HOLD_RANGE = query('hold-tenant-with-range', (db: Tables, value: { id: number }) =>
  db
    .selectFrom('tenant')
    .select(sql<string>`address_range::text`.as('overlay'))
    .where('id', '=', value.id)
    .forNoKeyUpdate(),
);

const DELETE_ADDRESSES = query(
  'delete-found-addresses',
  (db: Tables, value: { tenantId: number; ids: readonly string[] }) =>
    db.deleteFrom('foundAddress').where('tenantId', '=', value.tenantId).where('id', '=', anyOf(value.ids)),
);

const MARK_ADDRESSES = query(
  'mark-found-addresses',
  (db: Tables, value: { tenantId: number; ids: readonly string[]; goneAt: Date | null }) =>
    db
      .updateTable('foundAddress')
      .set({ goneAt: value.goneAt })
      .where('tenantId', '=', value.tenantId)
      .where('id', '=', anyOf(value.ids)),
);

/**
 * Stores the addresses that a router resolved, all or none. New addresses are added to the graph; missing ones stay for a
 * while.
 * @throws BAD_REQUEST for names that are not in its configuration and for addresses that it cannot route, CONFLICT for too
 * many addresses, RATE_LIMITED when they change continuously
 */
export async function storeAddresses(
  database: Database,
  peer: Router,
  { names, now }: { readonly names: readonly FoundName[]; readonly now: Date },
): Promise<void> {
  if (names.length === 0) return;
  await database.change(async (transaction) => {
    // Serializes reports with changes of the tenant's graph.
    const { tenantId } = peer;
    const [tenant] = await transaction.run(HOLD_RANGE, { id: tenantId });
    const resolvable = await resolvableResources(transaction, peer);
    const found = readFound(names, { resolvable, overlay: tenant?.overlay ?? '' });
    const kept = await transaction.run(STORED_ADDRESSES, peer);
    const difference = differenceOf(kept, found);
    if (!difference) throw tooMany();
    const { added, back, gone, dropped } = difference;
    if (added.length > 0) await refuseFrequentChanges(transaction, peer, now);
    await transaction.run(DELETE_ADDRESSES, { tenantId, ids: dropped });
    await transaction.run(MARK_ADDRESSES, { tenantId, ids: back, goneAt: null });
    await transaction.run(MARK_ADDRESSES, { tenantId, ids: gone, goneAt: now });
    if (added.length === 0) return;
    await add(transaction, peer, { added, now });
    await increaseGraphRevision(transaction, tenantId);
  }, ownerOf(peer.tenantId));
}

const NAMES_OF_ROUTER = query('names-of-router', (db: Tables, value: Router) =>
  db
    .selectFrom('router as o')
    .innerJoin('resource as r', (on) =>
      on.onRef('r.tenantId', '=', 'o.tenantId').onRef('r.networkId', '=', 'o.networkId'),
    )
    .select(['r.id', 'r.address as name'])
    .where('o.tenantId', '=', value.tenantId)
    .where('o.peerId', '=', value.id)
    .where('o.enabled', '=', true)
    .where('r.enabled', '=', true)
    .where('r.kind', '=', 'domain')
    .where('r.address', 'not like', '*%')
    .orderBy('r.id'),
);

/** The resources whose names the router must resolve. */
async function resolvableResources(transaction: Transaction, router: Router): Promise<ResolvableResource[]> {
  const resources = await transaction.run(NAMES_OF_ROUTER, router);
  const names = new Set(namesToResolve(resources.map(({ name }) => name)));
  return resources.filter(({ name }) => names.has(name));
}

const STORED_ADDRESSES = query('kept-addresses-of-router', (db: Tables, value: Router) =>
  db
    .selectFrom('foundAddress')
    .select(['id', 'resourceId', sql<string>`host(address)`.as('address'), 'goneAt'])
    .where('tenantId', '=', value.tenantId)
    .where('peerId', '=', value.id)
    .orderBy('id'),
);

const INSERT_ADDRESSES = query(
  'insert-found-addresses',
  (_: Tables, value: Router & { resources: readonly number[]; addresses: readonly string[]; now: Date }) => sql`
    INSERT INTO network.found_address (tenant_id, resource_id, peer_id, address, found_at)
    SELECT ${value.tenantId}, n.resource, ${value.id}, n.address::inet, ${value.now}
      FROM unnest(${value.resources}::integer[], ${value.addresses}::text[]) AS n (resource, address)`,
);

const COUNT_ADDRESSES = query('count-found-addresses', (db: Tables, value: { tenantId: number }) =>
  db
    .selectFrom('foundAddress')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('tenantId', '=', value.tenantId),
);

async function add(
  transaction: Transaction,
  { id, tenantId }: Router,
  { added, now }: { readonly added: readonly ResourceAddress[]; readonly now: Date },
): Promise<void> {
  const resources = added.map(({ resourceId }) => resourceId);
  const addresses = added.map(({ address }) => address);
  await transaction.run(INSERT_ADDRESSES, { tenantId, id, resources, addresses, now });
  const [{ count } = { count: 0 }] = await transaction.run(COUNT_ADDRESSES, { tenantId });
  if (count > MAX_ADDRESSES_OF_TENANT) throw tooMany();
}

function tooMany(): Error {
  return conflict('The names of the private network have too many addresses.');
}

async function refuseFrequentChanges(transaction: Transaction, router: Router, now: Date): Promise<void> {
  if ((await countIssuedInDay(transaction, router, now)) >= MAX_CERTIFICATES)
    throw rateLimited('The addresses of names change too often; the known addresses stay in effect for now.', {
      retryAfter: 1_800,
    });
}
