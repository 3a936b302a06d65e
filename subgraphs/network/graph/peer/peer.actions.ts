import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import type { PeerRow } from './peer.js';
import { RESERVED_ADDRESSES } from './peer.rules.js';

/** A new peer. */
export interface NewPeer {
  readonly tenantId: number;
  /** An id that was reserved from the sequence; undefined: the next one. */
  readonly id?: number | undefined;
  /** Default: `vm-<its id>`. */
  readonly label: string | undefined;
  /** Its first group; must belong to the tenant. */
  readonly groupId: number;
  readonly vmTicketRef: string | null;
  /** Set for a machine that the platform runs. */
  readonly isInfra?: true;
}

interface AddedPeer {
  readonly id: number;
  readonly label: string;
  readonly ip: string;
}

/** The lowest free address of the tenant. The last address of a range is its broadcast address. */
const freeAddress = (tenantId: number) => sql`
  SELECT t.id AS tenant_id, a.ip
    FROM network.tenant t,
         generate_series(${sql.lit(RESERVED_ADDRESSES)}, (1 << (32 - masklen(t.address_range))) - 2) n,
         set_masklen(t.address_range::inet + n::bigint, 32) AS a(ip)
   WHERE t.id = ${tenantId} AND NOT EXISTS (SELECT FROM network.peer p WHERE p.tenant_id = t.id AND p.ip = a.ip)
   ORDER BY n LIMIT 1`;

type PeerValues = Pick<PeerRow, 'tenantId' | 'vmTicketRef' | 'isInfra'> & {
  id: number | null;
  label: string | null;
  now: Date;
};

const ADD_PEER = query(
  'add-peer',
  (_: Tables, value: PeerValues) => sql<AddedPeer>`
  INSERT INTO network.peer (id, tenant_id, label, ip, vm_ticket_ref, is_infra, created_at)
  OVERRIDING SYSTEM VALUE
  SELECT own.id, free.tenant_id, coalesce(${value.label}, 'vm-' || own.id), free.ip, ${value.vmTicketRef}, ${value.isInfra}, ${value.now}
    FROM (${freeAddress(value.tenantId)}) free,
         (SELECT coalesce(${value.id}, nextval(pg_get_serial_sequence('network.peer', 'id')))::integer AS id) own
  RETURNING id, label, host(ip) AS ip`,
);

type Membership = { tenantId: number; groupId: number; peerId: number };

/** Adds a new peer to a group. */
export const INSERT_MEMBER = query('insert-member', (db: Tables, { tenantId, groupId, peerId }: Membership) =>
  db.insertInto('member').values({ tenantId, groupId, peerId }),
);

/**
 * Adds a peer with the lowest free address. The caller holds the lock of the tenant.
 * @throws CONFLICT when no address is left
 */
export async function addPeer(transaction: Transaction, peer: NewPeer, now: Date): Promise<AddedPeer> {
  const { tenantId, id = null, label = null, groupId, vmTicketRef, isInfra = false } = peer;
  const [added] = await transaction.run(ADD_PEER, { tenantId, id, label, vmTicketRef, isInfra, now });
  if (!added) throw conflict('No address is left in your network; delete a peer first.');
  await transaction.run(INSERT_MEMBER, { tenantId, groupId, peerId: added.id });
  return added;
}

type NewCertificate = { tenantId: number; id: number; certificate: Buffer; fingerprint: string; notAfter: Date };

/** Stores a peer's new certificate. */
export const STORE_CERTIFICATE = query(
  'store-certificate-of-peer',
  (db: Tables, { tenantId, id, certificate, fingerprint, notAfter }: NewCertificate) =>
    db
      .updateTable('peer')
      .set({ certificate, certificateFingerprint: fingerprint, certificateNotAfter: notAfter })
      .where('tenantId', '=', tenantId)
      .where('id', '=', id),
);

type MovedAddress = { tenantId: number; id: number; ip: string };

const FREE_FROM_OTHERS = query(
  'free-address-from-others',
  (_: Tables, { tenantId, id, ip }: MovedAddress) => sql`
    UPDATE network.peer p SET ip = free.ip FROM (${freeAddress(tenantId)}) free
     WHERE p.tenant_id = ${tenantId} AND p.ip = ${ip}::inet AND p.id <> ${id}`,
);

const MOVE_ADDRESS = query(
  'move-address-of-peer',
  (_: Tables, { tenantId, id, ip }: MovedAddress) => sql`
    UPDATE network.peer SET ip = ${ip}::inet WHERE tenant_id = ${tenantId} AND id = ${id}
       AND NOT EXISTS (SELECT FROM network.peer p WHERE p.tenant_id = ${tenantId} AND p.ip = ${ip}::inet)`,
);

/**
 * Sets the address of a peer to the one that an external server gave its machine. Another peer with this address gets a
 * free one. The caller holds the lock of the tenant.
 */
export async function moveAddress(
  transaction: Transaction,
  tenantId: number,
  { id, ip }: { readonly id: number; readonly ip: string },
): Promise<void> {
  await transaction.run(FREE_FROM_OTHERS, { tenantId, id, ip });
  await transaction.run(MOVE_ADDRESS, { tenantId, id, ip });
}
