import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { conflict, rateLimited } from '../../../../kernel/errors.js';
import { HOST_TTL_MS } from '../../certificates/authority/authority.actions.js';
import { askedNames } from '../../graph/region/resolved-address.rules.js';
import { growGraph } from '../../graph/tenant/tenant.actions.js';
import type { FoundName } from '../../graph/lookup/lookup.js';
import {
  differenceOf,
  readFound,
  type AskedResource,
  type KeptAddress,
  type ResourceAddress,
} from '../../graph/lookup/lookup.rules.js';

const DAY_MS = 24 * 3_600_000;

/**
 * Certificates of a router a day after which nothing new is taken of what it found: each address that comes or goes makes
 * another one, and those before are on everyone's blocklist until they end.
 */
const MAX_CERTIFICATES = 48;

/** Maximum number of resolved addresses in a private network. */
const MAX_OF_TENANT = 2_000;

/** The reporting router. */
interface Router {
  readonly id: number;
  readonly tenantId: number;
}

/**
 * Keeps what a router found, all of it or nothing; the graph grows with addresses that are new, those that are gone count
 * for a while still.
 * @throws BAD_REQUEST for names it was not asked for and addresses that it cannot lead to, CONFLICT for too many of them,
 * RATE_LIMITED where they change all the time
 */
export async function keepFound(
  database: Database,
  peer: Router,
  { names, now }: { readonly names: readonly FoundName[]; readonly now: Date },
): Promise<void> {
  if (names.length === 0) return;
  await database.change(async (transaction) => {
    // Reports of a tenant take turns with changes of its graph.
    const [tenant] = await transaction.execute<{ overlay: string }>(
      'SELECT address_range::text AS overlay FROM network.tenant WHERE id = $1 FOR NO KEY UPDATE',
      [peer.tenantId],
    );
    const asked = await askedOf(transaction, peer.id);
    const found = readFound(names, { asked, overlay: tenant?.overlay ?? '' });
    const kept = await keptOf(transaction, peer);
    const difference = differenceOf(kept, found);
    if (!difference) throw tooMany();
    const { added, back, gone, dropped } = difference;
    if (added.length > 0) await refuseOften(transaction, peer, now);
    await transaction.execute('DELETE FROM network.found_address WHERE id = ANY ($1)', [dropped]);
    await transaction.execute('UPDATE network.found_address SET gone_at = NULL WHERE id = ANY ($1)', [back]);
    await transaction.execute('UPDATE network.found_address SET gone_at = $2 WHERE id = ANY ($1)', [gone, now]);
    if (added.length === 0) return;
    await add(transaction, peer, { added, now });
    await growGraph(transaction, peer.tenantId);
  });
}

/** The resources whose names the peer's configuration asks for. */
async function askedOf(transaction: Transaction, peerId: number): Promise<AskedResource[]> {
  const resources = await transaction.execute<AskedResource>(
    `SELECT r.id, r.address AS name FROM network.router o JOIN network.resource r ON r.network_id = o.network_id
      WHERE o.peer_id = $1 AND o.enabled AND r.enabled AND r.kind = 'domain' AND r.address NOT LIKE '*%' ORDER BY r.id`,
    [peerId],
  );
  const names = new Set(askedNames(resources.map(({ name }) => name)));
  return resources.filter(({ name }) => names.has(name));
}

function keptOf(transaction: Transaction, { id, tenantId }: Router): Promise<KeptAddress[]> {
  return transaction.execute<KeptAddress>(
    `SELECT id::text, resource_id AS "resourceId", host(address) AS address, gone_at AS "goneAt"
       FROM network.found_address WHERE tenant_id = $1 AND peer_id = $2 ORDER BY found_address.id`,
    [tenantId, id],
  );
}

async function add(
  transaction: Transaction,
  { id, tenantId }: Router,
  { added, now }: { readonly added: readonly ResourceAddress[]; readonly now: Date },
): Promise<void> {
  await transaction.execute(
    `INSERT INTO network.found_address (tenant_id, resource_id, peer_id, address, found_at)
     SELECT $1, n.resource, $2, n.address::inet, $5 FROM unnest($3::integer[], $4::text[]) AS n (resource, address)`,
    [tenantId, id, added.map(({ resourceId }) => resourceId), added.map(({ address }) => address), now],
  );
  const [{ count } = { count: 0 }] = await transaction.execute<{ count: number }>(
    'SELECT count(*)::integer AS count FROM network.found_address WHERE tenant_id = $1',
    [tenantId],
  );
  if (count > MAX_OF_TENANT) throw tooMany();
}

function tooMany(): Error {
  return conflict('The names of the private network have too many addresses.');
}

async function refuseOften(transaction: Transaction, { id, tenantId }: Router, now: Date): Promise<void> {
  const [{ count } = { count: 0 }] = await transaction.execute<{ count: number }>(
    `SELECT count(*)::integer AS count FROM network.issued_certificate
      WHERE tenant_id = $1 AND peer_id = $2 AND not_after > $3`,
    [tenantId, id, new Date(now.getTime() + HOST_TTL_MS - DAY_MS)],
  );
  if (count >= MAX_CERTIFICATES)
    throw rateLimited('The addresses of names change too often; the known addresses stay in effect for now.', {
      retryAfter: 1_800,
    });
}
