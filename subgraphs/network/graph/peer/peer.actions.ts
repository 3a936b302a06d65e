import type { Transaction } from '../../../../kernel/database/database.js';
import { conflict } from '../../../../kernel/errors.js';
import { RESERVED_ADDRESSES } from './peer.rules.js';

/** A new peer. */
export interface NewPeer {
  readonly tenantId: number;
  /** Of the sequence, where something was made for it beforehand; undefined: the next. */
  readonly id?: number | undefined;
  /** Undefined: `vm-<its id>`. */
  readonly label: string | undefined;
  /** The one group it begins in; must be the tenant's. */
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

// The lowest of tenant $1. The last address of a range is its broadcast address.
const FREE_ADDRESS = `
  SELECT t.id AS tenant_id, a.ip
    FROM network.tenant t,
         generate_series(${RESERVED_ADDRESSES}, (1 << (32 - masklen(t.address_range))) - 2) n,
         set_masklen(t.address_range::inet + n::bigint, 32) AS a(ip)
   WHERE t.id = $1 AND NOT EXISTS (SELECT FROM network.peer p WHERE p.tenant_id = t.id AND p.ip = a.ip)
   ORDER BY n LIMIT 1`;

const ADD_PEER = `
  INSERT INTO network.peer (id, tenant_id, label, ip, vm_ticket_ref, is_infra, created_at)
  OVERRIDING SYSTEM VALUE
  SELECT own.id, free.tenant_id, coalesce($2, 'vm-' || own.id), free.ip, $3, $4, $5
    FROM (${FREE_ADDRESS}) free,
         (SELECT coalesce($6, nextval(pg_get_serial_sequence('network.peer', 'id')))::integer AS id) own
  RETURNING id, label, host(ip) AS ip`;

/**
 * Adds a peer with the lowest free address, within a change of the graph: whoever makes one holds the tenant.
 * @throws CONFLICT when no address is left
 */
export async function addPeer(transaction: Transaction, peer: NewPeer, now: Date): Promise<AddedPeer> {
  const { tenantId, id, label, groupId, vmTicketRef, isInfra = false } = peer;
  const values = [tenantId, label, vmTicketRef, isInfra, now, id];
  const [added] = await transaction.execute<AddedPeer>(ADD_PEER, values);
  if (!added) throw conflict('No address is left in your network; delete a peer first.');
  await transaction.execute('INSERT INTO network.member (tenant_id, group_id, peer_id) VALUES ($1, $2, $3)', [
    tenantId,
    groupId,
    added.id,
  ]);
  return added;
}

/**
 * Gives a peer the address that its machine has, where another carries the network; whoever was to have it gets a free
 * one. Whoever calls holds the tenant.
 */
export async function moveAddress(
  transaction: Transaction,
  tenantId: number,
  { id, ip }: { readonly id: number; readonly ip: string },
): Promise<void> {
  await transaction.execute(
    `UPDATE network.peer p SET ip = free.ip FROM (${FREE_ADDRESS}) free
      WHERE p.tenant_id = $1 AND p.ip = $2::inet AND p.id <> $3`,
    [tenantId, ip, id],
  );
  await transaction.execute(
    `UPDATE network.peer SET ip = $2::inet
      WHERE tenant_id = $1 AND id = $3 AND NOT EXISTS (SELECT FROM network.peer p WHERE p.tenant_id = $1 AND p.ip = $2::inet)`,
    [tenantId, ip, id],
  );
}
