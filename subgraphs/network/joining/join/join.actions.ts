import { hashToken, makeToken } from '../../../../kernel/security/credentials.js';
import type { Database, Transaction } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { badRequest, conflict, forbidden, unauthenticated } from '../../../../kernel/errors.js';
import { tellVmJoined } from '../enrollment/vm-joined.actions.js';
import { keepFound } from '../lookup/lookup.actions.js';
import type { FoundName } from '../../graph/lookup/lookup.js';
import { peerStatus, type PeerState } from '../../graph/peer/peer.rules.js';
import type { NetworkRuntime } from '../../services.js';
import { showChange } from '../../graph/tenant/tenant.actions.js';
import { PEER_TOKEN_PREFIX, verdictOn, type PresentedKey } from './join.rules.js';
import type { JoinedPeer, PeerReport } from './join.js';

interface KeyWithPeer extends PresentedKey {
  readonly id: number;
  readonly label: string;
  readonly ip: string;
  /** The machine of the platform that it was made for. */
  readonly vm: string | null;
}

/** A machine that joins. */
interface Joining {
  readonly setupKey: string;
  /** x25519, 32 bytes, checked. */
  readonly publicKey: Buffer;
}

/**
 * Trades a setup key and a public key for a place in the network. The same two again, while the key would be valid, give
 * the same place and a new token: an answer may have been lost.
 * @throws UNAUTHENTICATED for a key that is unknown, expired or revoked, CONFLICT for one that another machine used and
 * for a public key that another peer has
 */
export function joinNetwork(
  { database, jobs, publicUrl }: Pick<NetworkRuntime, 'database' | 'jobs' | 'publicUrl'>,
  { setupKey, publicKey }: Joining,
  now: Date,
): Promise<JoinedPeer> {
  const token = makeToken(PEER_TOKEN_PREFIX);
  return database
    .change(async (transaction) => {
      const { id, peer, label, ip, vm } = await takeKey(transaction, { setupKey, publicKey }, now);
      await transaction.execute('UPDATE network.enrollment SET used_at = coalesce(used_at, $2) WHERE id = $1', [
        id,
        now,
      ]);
      await transaction.execute(
        `UPDATE network.peer SET public_key = $2, token_hash = $3, joined_at = coalesce(joined_at, $4), last_seen = $4
          WHERE id = $1`,
        [peer, publicKey, hashToken(token), now],
      );
      await tellVmJoined(transaction, jobs, vm);
      return { peer, ip, label, token, configurationUrl: `${publicUrl}/api/network/configuration/` };
    })
    .catch((error: unknown) => {
      if (violatedConstraint(error) !== 'peer_public_key') throw error;
      throw conflict('Another peer uses this public key; generate a new key pair.');
    });
}

/** The key with its peer, held by the tenant's row: of those who present it at once one is first. */
async function takeKey(
  transaction: Transaction,
  { setupKey, publicKey }: Joining,
  now: Date,
): Promise<KeyWithPeer & { readonly peer: number }> {
  const hash = hashToken(setupKey);
  const [known] = await transaction.execute<{ tenantId: number }>(
    'SELECT tenant_id AS "tenantId" FROM network.enrollment WHERE key_hash = $1',
    [hash],
  );
  if (!known) throw refusedKey();
  await showChange(transaction, known.tenantId);
  const [key] = await transaction.execute<KeyWithPeer>(
    `SELECT e.id, e.vm, e.used_at AS "usedAt", e.revoked_at AS "revokedAt", e.expires_at AS "expiresAt",
            p.id AS peer, p.label, host(p.ip) AS ip, p.public_key AS "publicKey"
       FROM network.enrollment e LEFT JOIN network.peer p ON p.tenant_id = e.tenant_id AND p.id = e.peer_id
      WHERE e.key_hash = $1`,
    [hash],
  );
  const verdict = key ? verdictOn(key, publicKey, now) : 'refused';
  if (verdict === 'taken') throw conflict('Another machine has used this setup key; create a new one.');
  if (verdict === 'refused' || !key || key.peer === null) throw refusedKey();
  return { ...key, peer: key.peer };
}

function refusedKey(): Error {
  return unauthenticated('The setup key is unknown, expired or revoked.');
}

/** A peer as its token names it. */
export interface KnownPeer extends PeerState {
  readonly id: number;
  readonly tenantId: number;
}

const PEER_BY_TOKEN = {
  name: 'peer-by-token',
  text: `
    SELECT id, tenant_id AS "tenantId", joined_at AS "joinedAt", last_seen AS "lastSeen", config_hash AS "configHash",
           config_changed_at AS "configChangedAt", applied_hash AS applied
      FROM network.peer WHERE token_hash = $1`,
};

/** Returns the peer with this token. @throws UNAUTHENTICATED for any other token, also of a deleted peer */
export async function peerOfToken(database: Database, token: string): Promise<KnownPeer> {
  const [peer] = await database.rows<KnownPeer>(PEER_BY_TOKEN, [hashToken(token)]);
  if (!peer) throw unknownPeer();
  return peer;
}

/** The error for a machine whose peer was deleted. */
export function unknownPeer(): Error {
  return unauthenticated('The peer token is invalid: the peer was deleted or has joined again.');
}

const SEE = {
  name: 'peer-see',
  text: 'UPDATE network.peer SET last_seen = greatest(last_seen, $2), applied_hash = $3 WHERE id = $1',
};

/** Not every question is kept: a peer is seen when it was a while ago. */
const SEEN_STEP_MS = 10_000;

/** Records that a peer was seen; other columns change only with its status. */
export async function seePeer(
  database: Database,
  peer: KnownPeer,
  now: Date,
  applied = peer.applied,
): Promise<PeerReport> {
  const status = peerStatus({ ...peer, lastSeen: now, applied }, now);
  const isSeen = peer.lastSeen && now.getTime() - peer.lastSeen.getTime() < SEEN_STEP_MS;
  if (isSeen && applied === peer.applied) return { peer: peer.id, status };
  const values = [peer.id, now, applied];
  if (status === peerStatus(peer, now)) await database.rows(SEE, values);
  else
    await database.change(async (transaction) => {
      await showChange(transaction, peer.tenantId);
      await transaction.execute(SEE.text, values);
    });
  return { peer: peer.id, status };
}

/** What a machine reports. */
interface Report {
  readonly token: string;
  /** SHA-256 of a configuration. */
  readonly applied: string;
  /** Whom it speaks of; undefined: itself. */
  readonly about: number | undefined;
  /** What it found as a router. */
  readonly names: readonly FoundName[];
}

/**
 * Keeps what a peer says it runs, and what it found that names stand for.
 * @throws UNAUTHENTICATED for its token, FORBIDDEN when it speaks of another peer, BAD_REQUEST for what is no hash, and as
 * `keepFound` for names
 */
export async function reportConfiguration(database: Database, report: Report, now: Date): Promise<PeerReport> {
  const peer = await peerOfToken(database, report.token);
  if (report.about !== undefined && report.about !== peer.id) throw forbidden('A peer may report only about itself.');
  if (!/^[0-9a-f]{64}$/.test(report.applied))
    throw badRequest('`applied` must be the SHA-256 of a configuration, 64 hex digits in lower case.');
  await keepFound(database, peer, { names: report.names, now });
  return seePeer(database, peer, now, report.applied);
}
