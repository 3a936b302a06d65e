import { sql } from 'kysely';
import { hashToken, makeToken } from '../../../../kernel/security/credentials.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { badRequest, conflict, forbidden, unauthenticated } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { notifyVmJoined, vmOfKey } from '../enrollment/vm-joined.actions.js';
import { storeAddresses } from '../lookup/lookup.actions.js';
import type { FoundName } from '../../graph/lookup/lookup.js';
import { PEER_STATE_COLUMNS } from '../../graph/peer/peer.js';
import { peerStatus, type PeerState } from '../../graph/peer/peer.rules.js';
import type { NetworkRuntime } from '../../services.js';
import { beginRouting } from '../../graph/router/router.actions.js';
import { increaseRevision, ownerOf } from '../../graph/tenant/tenant.actions.js';
import { PEER_TOKEN_PREFIX, keyUse, type PresentedKey } from './join.rules.js';
import type { JoinedPeer, PeerReport } from './join.js';

interface KeyWithPeer extends PresentedKey {
  readonly id: number;
  readonly label: string;
  readonly ip: string;
  /** Whether its machine has joined before. */
  readonly hasJoined: boolean;
  /** The platform's virtual machine of the key. */
  readonly vm: string | null;
}

/** A join request. */
interface Joining {
  readonly setupKey: string;
  /** x25519, 32 bytes, validated. */
  readonly publicKey: Buffer;
}

const USE_KEY = query('use-setup-key', (db: Tables, value: { tenantId: number; id: number; now: Date }) =>
  db
    .updateTable('enrollment')
    .set({ usedAt: sql<Date>`coalesce(used_at, ${value.now})` })
    .where('tenantId', '=', value.tenantId)
    .where('id', '=', value.id),
);

type JoinedKeys = { tenantId: number; id: number; publicKey: Buffer; tokenHash: string; now: Date };

const JOIN_PEER = query('join-peer', (db: Tables, { tenantId, id, publicKey, tokenHash, now }: JoinedKeys) =>
  db
    .updateTable('peer')
    .set({ publicKey, tokenHash, joinedAt: sql<Date>`coalesce(joined_at, ${now})`, lastSeen: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id),
);

/**
 * Joins a machine by its setup key and public key. While the key is valid, a repeated request returns the same peer with
 * a new token, because the first response may be lost.
 * @throws UNAUTHENTICATED for an unknown, expired or revoked key, CONFLICT for a key that another machine used and for a
 * public key that another peer has
 */
export async function joinNetwork(
  { database, jobs, publicUrl }: Pick<NetworkRuntime, 'database' | 'jobs' | 'publicUrl'>,
  { setupKey, publicKey }: Joining,
  now: Date,
): Promise<JoinedPeer> {
  const token = makeToken(PEER_TOKEN_PREFIX);
  const hash = hashToken(setupKey);
  const [tenant] = await database.run(TENANT_OF_KEY, { hash });
  if (!tenant) throw refusedKey();
  const { tenantId, userId } = tenant;
  return database
    .change(async (transaction) => {
      const { id, peer, label, ip, vm, hasJoined } = await takeKey(transaction, { tenantId, hash, publicKey }, now);
      await transaction.run(USE_KEY, { tenantId, id, now });
      await transaction.run(JOIN_PEER, { tenantId, id: peer, publicKey, tokenHash: hashToken(token), now });
      if (!hasJoined) await beginRouting(transaction, tenantId, [peer]);
      await notifyVmJoined(transaction, jobs, vm);
      return { userId, peerId: peer, setupKeyId: id, ip, label };
    }, ownerOf(tenantId))
    .then(({ peerId, ip, label }) => ({
      peer: peerId,
      ip,
      label,
      token,
      configurationUrl: `${publicUrl}/api/network/configuration/`,
    }))
    .catch((error: unknown) => {
      if (violatedConstraint(error) !== 'peer_public_key') throw error;
      throw conflict('Another peer uses this public key; generate a new key pair.');
    });
}

const TENANT_OF_KEY = query('tenant-of-setup-key', (db: Tables, value: { hash: string }) =>
  db
    .selectFrom('enrollment')
    .innerJoin('tenant', 'tenant.id', 'enrollment.tenantId')
    .select(['enrollment.tenantId', 'tenant.userId'])
    .where('enrollment.keyHash', '=', value.hash),
);

const KEY_WITH_PEER = query(
  'setup-key-with-peer',
  (_: Tables, value: { tenantId: number; hash: string }) => sql<KeyWithPeer>`
    SELECT e.id, ${vmOfKey('e')} AS vm, e.used_at AS "usedAt", e.revoked_at AS "revokedAt", e.expires_at AS "expiresAt",
           p.id AS peer, p.label, host(p.ip) AS ip, p.public_key AS "publicKey",
           p.joined_at IS NOT NULL AS "hasJoined"
      FROM network.enrollment e LEFT JOIN network.peer p ON p.tenant_id = e.tenant_id AND p.id = e.peer_id
     WHERE e.tenant_id = ${value.tenantId} AND e.key_hash = ${value.hash}`,
);

/** Reads the key and its peer under a lock of the tenant's row, so that parallel requests run one after the other. */
async function takeKey(
  transaction: Transaction,
  { tenantId, hash, publicKey }: { readonly tenantId: number; readonly hash: string; readonly publicKey: Buffer },
  now: Date,
): Promise<KeyWithPeer & { readonly peer: number }> {
  await increaseRevision(transaction, tenantId);
  const [key] = await transaction.run(KEY_WITH_PEER, { tenantId, hash });
  const verdict = key ? keyUse(key, publicKey, now) : 'refused';
  if (verdict === 'taken') throw conflict('Another machine has used this setup key; create a new one.');
  if (verdict === 'refused' || !key || key.peer === null) throw refusedKey();
  return { ...key, peer: key.peer };
}

function refusedKey(): Error {
  return unauthenticated('The setup key is unknown, expired or revoked.');
}

/** A peer, identified by its token. */
export interface KnownPeer extends PeerState {
  readonly id: number;
  readonly tenantId: number;
}

const PEER_BY_TOKEN = query('peer-by-token', (db: Tables, value: { hash: string }) =>
  db
    .selectFrom('peer')
    .select(['id', 'tenantId', ...PEER_STATE_COLUMNS])
    .where('tokenHash', '=', value.hash),
);

/** Returns the peer with this token. @throws UNAUTHENTICATED for any other token, also of a deleted peer */
export async function peerOfToken(database: Database, token: string): Promise<KnownPeer> {
  if (token === '') throw unauthenticated('Send the token of the machine in the header `Peer-Token`.');
  const [peer] = await database.run(PEER_BY_TOKEN, { hash: hashToken(token) });
  if (!peer) throw unauthenticated('The peer token is invalid: the peer was deleted or has joined again.');
  return peer;
}

type Sighting = { tenantId: number; id: number; now: Date; applied: string | null };

// Without a report the stored hash stays: another request may have stored it since this one read the peer.
const SEE = query('set-peer-last-seen', (db: Tables, value: Sighting) =>
  db
    .updateTable('peer')
    .set({
      lastSeen: sql<Date>`greatest(last_seen, ${value.now})`,
      appliedHash: sql<string | null>`coalesce(${value.applied}, applied_hash)`,
    })
    .where('tenantId', '=', value.tenantId)
    .where('id', '=', value.id),
);

/** Minimum milliseconds between two stored sightings of a peer, because peers poll often. */
const SEEN_INTERVAL_MS = 10_000;

/** Records that a peer was seen; other columns change only with its status. @param applied the hash that it reports */
export async function seePeer(
  database: Database,
  peer: KnownPeer,
  now: Date,
  applied: string | null = null,
): Promise<PeerReport> {
  const status = peerStatus({ ...peer, lastSeen: now, applied: applied ?? peer.applied }, now);
  const isSeen = peer.lastSeen && now.getTime() - peer.lastSeen.getTime() < SEEN_INTERVAL_MS;
  if (isSeen && (applied === null || applied === peer.applied)) return { peer: peer.id, status };
  const values = { tenantId: peer.tenantId, id: peer.id, now, applied };
  if (status === peerStatus(peer, now)) await database.run(SEE, values);
  else
    await database.change(async (transaction) => {
      await increaseRevision(transaction, peer.tenantId);
      await transaction.run(SEE, values);
    }, ownerOf(peer.tenantId));
  return { peer: peer.id, status };
}

/** What a machine reports. */
interface Report {
  readonly token: string;
  /** SHA-256 of a configuration. */
  readonly applied: string;
  /** The id of the reported peer; undefined: the reporting peer. */
  readonly about: number | undefined;
  /** The names that it resolved as a router. */
  readonly names: readonly FoundName[];
}

/**
 * Stores the report of a peer: its applied configuration and the addresses of names.
 * @throws UNAUTHENTICATED for an invalid token, FORBIDDEN for another peer, BAD_REQUEST for an invalid hash, and the errors
 * of `storeAddresses` for names
 */
export async function reportConfiguration(database: Database, report: Report, now: Date): Promise<PeerReport> {
  const peer = await peerOfToken(database, report.token);
  if (report.about !== undefined && report.about !== peer.id) throw forbidden('A peer may report only about itself.');
  if (!/^[0-9a-f]{64}$/.test(report.applied))
    throw badRequest('`applied` must be the SHA-256 of a configuration, 64 hex digits in lower case.');
  await storeAddresses(database, peer, { names: report.names, now });
  return seePeer(database, peer, now, report.applied);
}
