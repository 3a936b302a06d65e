import { sql } from 'kysely';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, rateLimited } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { issueCertificate } from '../authority/authority.actions.js';
import { MAX_TTL_MS } from '../authority/authority.rules.js';
import { addPeer, STORE_CERTIFICATE } from '../../graph/peer/peer.actions.js';
import { removePeer } from '../../graph/peer/own-peers.actions.js';
import type { NetworkContext } from '../../services.js';
import {
  changeGraph,
  findTenant,
  HOLD_TENANT,
  ownerOf,
  provisionTenant,
  increaseRevision,
} from '../../graph/tenant/tenant.actions.js';

const DAY_MS = 24 * 3_600_000;

/** Holders renew manually, so their certificates live longer than those of peers. */
const TTL_MS = MAX_TTL_MS;

/** Maximum certificates per holder and day, because each may stay on the blocklist for its whole lifetime. */
const MAX_A_DAY = 24;

/** A validated certificate request. */
export interface HolderRequest {
  readonly userId: number;
  readonly reference: string;
  readonly label: string;
  readonly publicKey: Buffer;
  readonly keyNumber: number;
  readonly renews: boolean;
}

/**
 * Issues a certificate to a holder, which is a peer in the default group. A repeated request returns the same certificate.
 * A request with an older key changes nothing. A newer key revokes the certificates of the previous key.
 * @throws CONFLICT when its peer is deleted, for a key that another peer has, and when no address is left, RATE_LIMITED, UNAVAILABLE
 */
export async function certifyHolder(context: NetworkContext, request: HolderRequest): Promise<void> {
  const { database, services, now } = context;
  const viewer = { userId: request.userId };
  const ranges = { lastRange: services.lastRange, now: now() };
  const { id, addressRange, defaultGroup } = await provisionTenant(database, viewer, ranges);
  const placed = { request, group: defaultGroup, now: now() };
  const work = async () => {
    if (!(await isPlaced(database, id, request.reference)))
      await changeGraph(database, { viewer, now: now() }, (transaction, tenantId) =>
        placeHolder(transaction, tenantId, placed),
      );
    await issue(context, { id, addressRange }, request);
  };
  await work().catch((error: unknown) => {
    if (violatedConstraint(error) !== 'peer_public_key') throw error;
    throw conflict('Another peer uses this public key; generate a new key pair.');
  });
}

const PLACED = query('holder-placed', (db: Tables, value: { tenantId: number; reference: string }) =>
  db
    .selectFrom('certificateHolder')
    .select('reference')
    .where('tenantId', '=', value.tenantId)
    .where('reference', '=', value.reference),
);

async function isPlaced(database: Database, tenantId: number, reference: string): Promise<boolean> {
  return (await database.run(PLACED, { tenantId, reference })).length > 0;
}

interface Placing {
  readonly request: HolderRequest;
  readonly group: number;
  readonly now: Date;
}

type NewHolder = { reference: string; tenantId: number; keyNumber: number; now: Date };

const INSERT_HOLDER = query('insert-holder', (db: Tables, { reference, tenantId, keyNumber, now }: NewHolder) =>
  db
    .insertInto('certificateHolder')
    .values({ reference, tenantId, keyNumber, createdAt: now })
    .onConflict((on) => on.doNothing())
    .returning('reference'),
);

const SET_KEY = query(
  'set-public-key-of-peer',
  (db: Tables, value: { tenantId: number; id: number; publicKey: Buffer }) =>
    db
      .updateTable('peer')
      .set({ publicKey: value.publicKey })
      .where('tenantId', '=', value.tenantId)
      .where('id', '=', value.id),
);

const SET_PEER = query(
  'set-peer-of-holder',
  (db: Tables, value: { tenantId: number; reference: string; peerId: number }) =>
    db
      .updateTable('certificateHolder')
      .set({ peerId: value.peerId })
      .where('tenantId', '=', value.tenantId)
      .where('reference', '=', value.reference),
);

async function placeHolder(
  transaction: Transaction,
  tenantId: number,
  { request, group, now }: Placing,
): Promise<void> {
  const { reference, label, publicKey, keyNumber } = request;
  const [placed] = await transaction.run(INSERT_HOLDER, { reference, tenantId, keyNumber, now });
  if (!placed) return;
  const peer = await addPeer(transaction, { tenantId, label, groupId: group, vmTicketRef: null }, now);
  await transaction.run(SET_KEY, { tenantId, id: peer.id, publicKey });
  await transaction.run(SET_PEER, { tenantId, reference, peerId: peer.id });
}

interface Holder {
  readonly keyNumber: number;
  readonly peer: number | null;
  readonly label: string;
  readonly ip: string;
  readonly publicKey: Buffer;
  readonly certificate: Buffer | null;
  /** Certificates issued in the last day. */
  readonly lately: number;
}

const RECORD_ISSUE = query(
  'note-issue-to-holder',
  (db: Tables, value: { tenantId: number; reference: string; keyNumber: number; issuedAt: Date; issuer: string }) =>
    db
      .updateTable('certificateHolder')
      .set({ keyNumber: value.keyNumber, issuedAt: value.issuedAt, issuer: value.issuer })
      .where('tenantId', '=', value.tenantId)
      .where('reference', '=', value.reference),
);

async function issue(
  { database, services, now }: NetworkContext,
  tenant: { readonly id: number; readonly addressRange: string },
  { reference, publicKey, keyNumber, renews }: HolderRequest,
): Promise<void> {
  await database.change(async (transaction) => {
    await transaction.run(HOLD_TENANT, { id: tenant.id });
    const at = now();
    const holder = await holderOf(transaction, tenant.id, { reference, since: at.getTime() + TTL_MS - DAY_MS });
    const { peer: id, label, ip, lately } = holder;
    if (id === null) throw conflict('This certificate was revoked.');
    if (keyNumber < holder.keyNumber) return;
    const isOther = !holder.publicKey.equals(publicKey);
    if (holder.certificate && !isOther && !renews) return;
    if (lately >= MAX_A_DAY)
      throw rateLimited(`At most ${MAX_A_DAY} certificates a day; your present certificate stays valid.`, {
        retryAfter: 3_600,
      });
    if (isOther) await replaceKey(transaction, { tenantId: tenant.id, id, publicKey, at });
    const peer = { id, label, ip, publicKey, subnets: [] };
    const issued = await issueCertificate(transaction, services.secretBox, { tenant, peer, now: at, ttlMs: TTL_MS });
    await transaction.run(STORE_CERTIFICATE, { tenantId: tenant.id, id, ...issued });
    const { issuer } = issued;
    await transaction.run(RECORD_ISSUE, { tenantId: tenant.id, reference, keyNumber, issuedAt: at, issuer });
  }, ownerOf(tenant.id));
}

const HOLDER_OF_TENANT = query(
  'holder-of-tenant',
  (_: Tables, value: { reference: string; tenantId: number; since: Date }) => sql<Holder>`
    SELECT h.key_number AS "keyNumber", p.id AS peer, p.label, host(p.ip) AS ip, p.public_key AS "publicKey", p.certificate,
           (SELECT count(*)::integer FROM network.issued_certificate i
             WHERE i.tenant_id = h.tenant_id AND i.peer_id = p.id AND i.not_after > ${value.since}) AS lately
      FROM network.certificate_holder h LEFT JOIN network.peer p ON p.tenant_id = h.tenant_id AND p.id = h.peer_id
     WHERE h.reference = ${value.reference} AND h.tenant_id = ${value.tenantId}`,
);

async function holderOf(
  transaction: Transaction,
  tenantId: number,
  { reference, since }: { readonly reference: string; readonly since: number },
): Promise<Holder> {
  const [holder] = await transaction.run(HOLDER_OF_TENANT, { reference, tenantId, since: new Date(since) });
  if (!holder) throw conflict('This reference belongs to a certificate of another private network.');
  return holder;
}

interface KeyChange {
  readonly tenantId: number;
  readonly id: number;
  readonly publicKey: Buffer;
  readonly at: Date;
}

const REVOKE_ALL = query(
  'revoke-certificates-of-peer',
  (_: Tables, { tenantId, id, at }: Omit<KeyChange, 'publicKey'>) => sql`
    INSERT INTO network.revoked_certificate (fingerprint, tenant_id, not_after, revoked_at)
    SELECT fingerprint, tenant_id, not_after, ${at} FROM network.issued_certificate
     WHERE tenant_id = ${tenantId} AND peer_id = ${id} ON CONFLICT DO NOTHING`,
);

async function replaceKey(transaction: Transaction, { tenantId, id, publicKey, at }: KeyChange): Promise<void> {
  await transaction.run(REVOKE_ALL, { tenantId, id, at });
  await transaction.run(SET_KEY, { tenantId, id, publicKey });
  await increaseRevision(transaction, tenantId);
}

interface Ending {
  readonly userId: number;
  readonly reference: string;
  readonly now: Date;
}

const PEER_OF_HOLDER = query('peer-of-holder', (db: Tables, value: { tenantId: number; reference: string }) =>
  db
    .selectFrom('certificateHolder')
    .select('peerId')
    .where('tenantId', '=', value.tenantId)
    .where('reference', '=', value.reference),
);

/** Deletes the holder's peer; a database trigger revokes its certificates. Safe to repeat. */
export async function endHolder(database: Database, { userId, reference, now }: Ending): Promise<void> {
  if (!(await findTenant(database, userId))) return;
  await changeGraph(database, { viewer: { userId }, now }, async (transaction, tenantId) => {
    const [{ peerId } = { peerId: null }] = await transaction.run(PEER_OF_HOLDER, { tenantId, reference });
    if (peerId !== null) await removePeer(transaction, tenantId, peerId);
  });
}
