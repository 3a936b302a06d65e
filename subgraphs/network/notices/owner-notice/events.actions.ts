import { sql } from 'kysely';
import type { Transaction } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import type { Tables } from '../../entities.js';
import { LIVE_TIMEOUT_MS } from '../../graph/peer/peer.rules.js';
import { ENDING_MS, OFFLINE_MS, WINDOW_MS, type NetworkEvent, type PeerEvent } from './owner-notice.rules.js';

const before = (now: Date, milliseconds: number) =>
  sql<Date>`(${now}::timestamptz - interval ${sql.lit(`${milliseconds} milliseconds`)})`;

/** `online`, `offline`, or between both as the owner was last notified, of a joined peer `p`. */
const presence = (now: Date) => sql<string>`
  CASE WHEN coalesce(p.last_seen, p.joined_at) < ${before(now, OFFLINE_MS)} THEN 'offline'
       WHEN p.notified_presence IS NULL OR coalesce(p.last_seen, p.joined_at) >= ${before(now, LIVE_TIMEOUT_MS)} THEN 'online'
       ELSE p.notified_presence END`;

/** Whether the certificate of a joined peer `p` ends soon or has ended, and its owner does not know it. */
const isEnding = (now: Date) => sql<boolean>`
  (p.certificate_not_after < ${now}::timestamptz + interval ${sql.lit(`${ENDING_MS} milliseconds`)}
   AND p.certificate_not_after IS DISTINCT FROM p.notified_not_after)`;

const isNew = (now: Date) =>
  sql<boolean>`(p.joined_at IS NOT NULL AND (p.notified_presence IS DISTINCT FROM ${presence(now)} OR ${isEnding(now)}))`;

const isDue = (now: Date) => sql<boolean>`(t.notified_at IS NULL OR t.notified_at <= ${before(now, WINDOW_MS)})`;

const DUE_TENANTS = query(
  'tenants-to-notify',
  (_: Tables, { now }: { now: Date }) => sql<{ id: number }>`
    SELECT t.id FROM network.tenant t
     WHERE ${isDue(now)} AND t.id IN
           (SELECT tenant_id FROM network.change WHERE NOT is_notified
             UNION SELECT p.tenant_id FROM network.peer p WHERE ${isNew(now)})
     ORDER BY t.id`,
);

/** The tenants with events that their owners may be notified of now. */
export async function dueTenants(reader: Pick<Transaction, 'run'>, now: Date): Promise<number[]> {
  return (await reader.run(DUE_TENANTS, { now })).map(({ id }) => id);
}

const HOLD_DUE_TENANT = query('hold-tenant-to-notify', (db: Tables, { id, now }: { id: number; now: Date }) =>
  db.selectFrom('tenant as t').select('t.userId').where('t.id', '=', id).where(isDue(now)).forNoKeyUpdate(),
);

/** Locks the tenant. Returns its owner; undefined when another process has just notified the owner. */
export async function holdDueTenant(transaction: Transaction, id: number, now: Date): Promise<number | undefined> {
  const [tenant] = await transaction.run(HOLD_DUE_TENANT, { id, now });
  return tenant?.userId;
}

const STORE_NOTIFIED = query('tenant-notified', (db: Tables, { id, now }: { id: number; now: Date }) =>
  db.updateTable('tenant').set({ notifiedAt: now }).where('id', '=', id),
);

/** Starts the window in which the owner gets no further notification. */
export async function startWindow(transaction: Transaction, id: number, now: Date): Promise<void> {
  await transaction.run(STORE_NOTIFIED, { id, now });
}

interface ClaimedPeer {
  readonly label: string;
  readonly was: string | null;
  readonly presence: string;
  readonly ending: boolean;
}

const CLAIM_PEERS = query(
  'claim-peer-events',
  (_: Tables, { tenantId, now }: { tenantId: number; now: Date }) => sql<ClaimedPeer>`
    WITH found AS (SELECT p.id, p.notified_presence AS was, ${presence(now)} AS presence, coalesce(${isEnding(now)}, false) AS ending
                     FROM network.peer p WHERE p.tenant_id = ${tenantId} AND ${isNew(now)} ORDER BY p.id FOR UPDATE)
    UPDATE network.peer p
       SET notified_presence = f.presence,
           notified_not_after = CASE WHEN f.ending THEN p.certificate_not_after ELSE p.notified_not_after END
      FROM found f WHERE p.tenant_id = ${tenantId} AND p.id = f.id
    RETURNING p.label, f.was, f.presence, f.ending`,
);

// The managed policy and the rows of groups, networks and resources are no news of their own.
const CLAIM_CHANGES = query(
  'claim-network-changes',
  (_: Tables, { tenantId }: { tenantId: number }) => sql<NetworkEvent>`
    WITH claimed AS (UPDATE network.change SET is_notified = true WHERE tenant_id = ${tenantId} AND NOT is_notified RETURNING id)
    SELECT i.kind, coalesce(i.after, i.before) ->> CASE i.kind WHEN 'peer' THEN 'label' ELSE 'name' END AS label,
           CASE WHEN i.kind = 'peer' THEN 'removed' WHEN i.before IS NULL THEN 'created' WHEN i.after IS NULL THEN 'deleted'
                WHEN i.before -> 'enabled' = i.after -> 'enabled' THEN 'changed'
                WHEN (i.after ->> 'enabled')::boolean THEN 'enabled' ELSE 'disabled' END AS what
      FROM claimed c JOIN network.change_item i ON i.tenant_id = ${tenantId} AND i.change_id = c.id
     WHERE i.kind = 'policy' OR (i.kind = 'peer' AND i.after IS NULL)
     ORDER BY i.id`,
);

/** The events of a tenant since the last call. Each is returned once, if the transaction commits. */
export async function claimEvents(transaction: Transaction, tenantId: number, now: Date): Promise<NetworkEvent[]> {
  const changes = await transaction.run(CLAIM_CHANGES, { tenantId });
  const peers = await transaction.run(CLAIM_PEERS, { tenantId, now });
  return [...peers.flatMap(peerEvents), ...changes];
}

function peerEvents({ label, was, presence: now, ending }: ClaimedPeer): NetworkEvent[] {
  const what: PeerEvent[] = [];
  if (was === null) what.push('joined');
  if (now === 'offline' && was !== 'offline') what.push('offline');
  if (now === 'online' && was === 'offline') what.push('online');
  if (ending) what.push('ending');
  return what.map((event) => ({ kind: 'peer', what: event, label }));
}
