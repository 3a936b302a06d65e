import type { Database } from '../../../../kernel/database/database.js';
import type { SecretBox } from '../../../../kernel/security/secret-box.js';
import { issueCertificate, signingAuthority } from '../../certificates/authority/authority.actions.js';
import { showChange, topologyTopic } from '../../graph/tenant/tenant.actions.js';
import { isCertificateDue } from '../../certificates/certificate/renewal.rules.js';

/** A peer that has joined, as its configuration is made. */
export interface Machine {
  readonly id: number;
  readonly label: string;
  readonly ip: string;
  readonly tokenHash: string;
  readonly publicKey: Buffer;
  /** Null until it is first asked for. */
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

const MACHINES_OF_TENANT = {
  name: 'machines-of-tenant',
  text: `
    SELECT t.id, t.address_range::text AS "addressRange", t.range_number AS place, t.graph_revision AS "graphRevision",
           (SELECT coalesce(json_agg(n ORDER BY n.id), '[]') FROM
              (SELECT p.id, p.label, host(p.ip) AS ip, p.token_hash AS "tokenHash", encode(p.public_key, 'hex') AS "publicKey",
                      encode(p.certificate, 'hex') AS certificate, p.config_hash AS "configHash"
                 FROM network.peer p WHERE p.tenant_id = t.id AND p.joined_at IS NOT NULL AND p.public_key IS NOT NULL) n) AS machines
      FROM network.tenant t WHERE t.id = $1`,
};

type WrittenMachine = Omit<Machine, 'publicKey' | 'certificate'> & { publicKey: string; certificate: string | null };

/** The tenant's peers that have joined; undefined where there is no such tenant. */
export async function readMachines(database: Database, tenantId: number): Promise<TenantMachines | undefined> {
  const [row] = await database.rows<Omit<TenantMachines, 'machines'> & { machines: WrittenMachine[] }>(
    MACHINES_OF_TENANT,
    [tenantId],
  );
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

/** Issues a new certificate when it is due; the first caller does it, and readers are notified. */
export async function renewCertificate(
  database: Database,
  sealer: SecretBox,
  { tenant, machine, subnets, now }: Renewal,
): Promise<void> {
  await database.change(async (transaction) => {
    await transaction.execute('SELECT id FROM network.tenant WHERE id = $1 FOR NO KEY UPDATE', [tenant.id]);
    const [peer] = await transaction.execute<{ certificate: Buffer | null; publicKey: Buffer }>(
      'SELECT certificate, public_key AS "publicKey" FROM network.peer WHERE id = $1 FOR NO KEY UPDATE',
      [machine.id],
    );
    const signer = await signingAuthority(transaction, tenant.id, now);
    if (!peer || !isCertificateDue(peer.certificate, { subnets, signer }, now)) return;
    const { id, label, ip } = machine;
    const owner = { id, label, ip, publicKey: peer.publicKey, subnets };
    const issued = await issueCertificate(transaction, sealer, { tenant, peer: owner, now });
    await transaction.execute(
      `UPDATE network.peer SET certificate = $2, certificate_fingerprint = $3, certificate_not_after = $4 WHERE id = $1`,
      [id, issued.certificate, issued.fingerprint, issued.notAfter],
    );
    transaction.publishAfterCommit(topologyTopic(tenant.id));
  });
}

/** Stores the configurations that peers must run, if they changed. */
export async function storeHashes(
  database: Database,
  tenantId: number,
  { hashes, now }: { readonly hashes: ReadonlyMap<number, string>; readonly now: Date },
): Promise<void> {
  if (hashes.size === 0) return;
  await database.change(async (transaction) => {
    await showChange(transaction, tenantId);
    await transaction.execute(
      `UPDATE network.peer p SET config_hash = n.hash, config_changed_at = $4
         FROM unnest($2::integer[], $3::text[]) AS n (id, hash)
        WHERE p.tenant_id = $1 AND p.id = n.id AND p.config_hash IS DISTINCT FROM n.hash`,
      [tenantId, [...hashes.keys()], [...hashes.values()], now],
    );
  });
}

/** Marks the configurations of the tenant's peers as unknown: they are not in force and become stale. */
export async function forgetHashes(database: Database, tenantId: number, now: Date): Promise<void> {
  await database.change(async (transaction) => {
    await transaction.execute('SELECT FROM network.tenant WHERE id = $1 FOR NO KEY UPDATE', [tenantId]);
    const forgotten = await transaction.execute<{ id: number }>(
      `UPDATE network.peer SET config_hash = NULL, config_changed_at = $2
        WHERE tenant_id = $1 AND config_hash IS NOT NULL RETURNING id`,
      [tenantId, now],
    );
    if (forgotten.length > 0) await showChange(transaction, tenantId);
  });
}
