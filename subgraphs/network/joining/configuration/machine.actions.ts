import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import type { Tables } from '../../entities.js';
import { issueCertificate, signingAuthority } from '../../certificates/authority/authority.actions.js';
import { countIssuedInDay } from '../../certificates/authority/issued-count.actions.js';
import { HOLD_TENANT, increaseRevision, ownerOf, topologyTopic } from '../../graph/tenant/tenant.actions.js';
import { STORE_CERTIFICATE } from '../../graph/peer/peer.actions.js';
import { isCertificateDue } from '../../certificates/certificate/renewal.rules.js';

/** A joined peer, as input of its configuration. */
export interface Machine {
  readonly id: number;
  readonly label: string;
  readonly ip: string;
  readonly tokenHash: string;
  readonly publicKey: Buffer;
  /** Null until the first request. */
  readonly certificate: Buffer | null;
  readonly configHash: string | null;
}

/** A tenant with the peers that have joined. */
export interface TenantMachines {
  readonly id: number;
  readonly addressRange: string;
  /** Place of the range in the pool. */
  readonly place: number;
  readonly graphRevision: number;
  readonly machines: readonly Machine[];
}

type WrittenMachine = Omit<Machine, 'publicKey' | 'certificate'> & { publicKey: string; certificate: string | null };

const MACHINES_OF_TENANT = query(
  'machines-of-tenant',
  (_: Tables, value: { id: number }) => sql<Omit<TenantMachines, 'machines'> & { machines: WrittenMachine[] }>`
    SELECT t.id, t.address_range::text AS "addressRange", t.range_number AS place, t.graph_revision AS "graphRevision",
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT p.id, p.label, host(p.ip) AS ip, p.token_hash AS "tokenHash", encode(p.public_key, 'hex') AS "publicKey",
                      encode(p.certificate, 'hex') AS certificate, p.config_hash AS "configHash"
                 FROM network.peer p WHERE p.tenant_id = t.id AND p.joined_at IS NOT NULL AND p.public_key IS NOT NULL) n) AS machines
      FROM network.tenant t WHERE t.id = ${value.id}`,
);

/** Reads the joined peers of a tenant; undefined if the tenant does not exist. */
export async function readMachines(database: Database, tenantId: number): Promise<TenantMachines | undefined> {
  const [row] = await database.run(MACHINES_OF_TENANT, { id: tenantId });
  if (!row) return undefined;
  const machines = row.machines.map((machine) => ({
    ...machine,
    publicKey: Buffer.from(machine.publicKey, 'hex'),
    certificate: machine.certificate === null ? null : Buffer.from(machine.certificate, 'hex'),
  }));
  return { ...row, machines };
}

interface Renewal {
  readonly tenant: { readonly id: number; readonly addressRange: string };
  readonly machine: Machine;
  readonly subnets: readonly string[];
  readonly now: Date;
}

const LOCK_KEYS = query('lock-keys-of-peer', (db: Tables, value: { tenantId: number; id: number }) =>
  db
    .selectFrom('peer')
    .select(['certificate', 'publicKey'])
    .where('tenantId', '=', value.tenantId)
    .where('id', '=', value.id)
    .forNoKeyUpdate(),
);

/**
 * Maximum certificates of a router per day for changed subnets, because each stays on blocklists until it expires. Above
 * it, the router keeps its certificate, and new subnets are not routed yet.
 */
const MAX_FOR_SUBNETS = 240;

/**
 * Issues a new certificate when it is due; the first caller does it, and readers are notified. Returns false if the subnets
 * changed too often, so that the present one stays.
 */
export async function renewCertificate(
  database: Database,
  secretBox: SecretBox,
  { tenant, machine, subnets, now }: Renewal,
): Promise<boolean> {
  return database.change(async (transaction) => {
    await transaction.run(HOLD_TENANT, { id: tenant.id });
    const [peer] = await transaction.run(LOCK_KEYS, { tenantId: tenant.id, id: machine.id });
    const signer = await signingAuthority(transaction, tenant.id, now);
    if (!peer?.publicKey || !isCertificateDue(peer.certificate, { subnets, signer }, now)) return true;
    const { id, label, ip } = machine;
    const isForSubnets = !isCertificateDue(peer.certificate, { signer }, now);
    if (isForSubnets && (await countIssuedInDay(transaction, { tenantId: tenant.id, id }, now)) >= MAX_FOR_SUBNETS)
      return false;
    const owner = { id, label, ip, publicKey: peer.publicKey, subnets };
    const issued = await issueCertificate(transaction, secretBox, { tenant, peer: owner, now });
    await transaction.run(STORE_CERTIFICATE, { tenantId: tenant.id, id, ...issued });
    transaction.publishAfterCommit(topologyTopic(tenant.id));
    return true;
  }, ownerOf(tenant.id));
}

interface StoredHashes {
  tenantId: number;
  ids: readonly number[];
  hashes: readonly string[];
  now: Date;
}

const STORE_HASHES = query(
  'store-configuration-hashes',
  (_: Tables, { tenantId, ids, hashes, now }: StoredHashes) => sql<{ graphRevision: number }>`
    UPDATE network.peer p SET config_hash = n.hash, config_changed_at = ${now}
      FROM unnest(${ids}::integer[], ${hashes}::text[]) AS n (id, hash), network.tenant t
     WHERE t.id = ${tenantId} AND p.tenant_id = ${tenantId} AND p.id = n.id AND p.config_hash IS DISTINCT FROM n.hash
    RETURNING t.graph_revision AS "graphRevision"`,
);

/** Stores the configurations that peers must run. Returns the tenant's graph revision at that time; undefined if no peer's changed. */
export async function storeHashes(
  database: Database,
  tenantId: number,
  { hashes, now }: { readonly hashes: ReadonlyMap<number, string>; readonly now: Date },
): Promise<number | undefined> {
  if (hashes.size === 0) return undefined;
  return database.change(async (transaction) => {
    await increaseRevision(transaction, tenantId);
    const values = { tenantId, ids: [...hashes.keys()], hashes: [...hashes.values()], now };
    return (await transaction.run(STORE_HASHES, values))[0]?.graphRevision;
  }, ownerOf(tenantId));
}

const CLEAR_HASHES = query('clear-configuration-hashes', (db: Tables, value: { tenantId: number; now: Date }) =>
  db
    .updateTable('peer')
    .set({ configHash: null, configChangedAt: value.now })
    .where('tenantId', '=', value.tenantId)
    .where('configHash', 'is not', null)
    .returning('id'),
);

/** Marks the configurations of the tenant's peers as unknown: they are not in force and become stale. */
export async function clearHashes(database: Database, tenantId: number, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    await transaction.run(HOLD_TENANT, { id: tenantId });
    const forgotten = await transaction.run(CLEAR_HASHES, { tenantId, now });
    if (forgotten.length > 0) await increaseRevision(transaction, tenantId);
  }, ownerOf(tenantId));
}
