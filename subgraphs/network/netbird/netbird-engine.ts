import { hashToken, makeToken } from '../../../kernel/credentials.js';
import type { Database } from '../../../kernel/database.js';
import type { KeyWish, MadeKey, NetworkEngine, Workshop } from '../engine/engine.js';
import { SETUP_KEY_MS } from '../enrollment/enrollment.rules.js';
import { readObject } from './found.rules.js';
import { netbirdUnavailable, type NetbirdApi } from './netbird-api.js';
import { RECORD_OBJECT, recordValues } from './object.actions.js';
import { peerName } from './wanted.rules.js';

/** A NetBird server carries the networks: it makes the keys, by its own client machines join. */
export function netbirdEngine(api: NetbirdApi): NetworkEngine {
  return {
    makeKey: (workshop, wish) =>
      makeKey(api, workshop, wish).catch((error: unknown) => {
        throw netbirdUnavailable(error, workshop.log);
      }),
  };
}

/** How long an enrollment that was begun is waited for before its traces are removed. */
const RESERVED_MS = 600_000;

// The row is there before anything at the server is: what a crash leaves there is known by it, and removed in time.
const RESERVE_PEER = {
  name: 'netbird-reserve-peer',
  text: `
    INSERT INTO network.netbird_object (tenant_id, kind, object_id, created_at, sent_at, reserved_until)
    VALUES ($1, 'peer', nextval(pg_get_serial_sequence('network.peer', 'id'))::integer, $2, $2, $3)
    RETURNING object_id AS id`,
};

const GROUP_THERE = {
  name: 'netbird-group-there',
  text: `SELECT external_id AS id FROM network.netbird_object
          WHERE tenant_id = $1 AND kind = 'group' AND object_id = $2 AND external_id IS NOT NULL`,
};

async function makeKey(api: NetbirdApi, { database }: Workshop, wish: KeyWish): Promise<MadeKey> {
  const { tenantId, groupId, now } = wish;
  const peerId = await reservePeer(database, wish);
  const name = peerName(tenantId, peerId);
  const sent = { name, peers: [] };
  const group = await api.write('POST', '/api/groups', { ...sent, resources: [] });
  const { fields: answered } = readObject('peer', group);
  const object = { kind: 'peer', id: peerId, externalId: group.id, sent, answered } as const;
  await database.rows(RECORD_OBJECT, recordValues(tenantId, object, now));
  // One that is not there yet gets its machine when it is made.
  const [there] = await database.rows<{ id: string }>(GROUP_THERE, [tenantId, groupId]);
  const key = await api.write('POST', '/api/setup-keys', {
    name,
    type: 'one-off',
    expires_in: SETUP_KEY_MS / 1000,
    auto_groups: [group.id, ...(there ? [there.id] : [])],
    usage_limit: 1,
    ephemeral: false,
  });
  const setupKey = String(key.key);
  const kept = { kind: 'key', id: peerId, externalId: key.id, sent: { name }, answered: { name } } as const;
  return {
    peerId,
    setupKey,
    joinCommand: `netbird up --management-url ${api.config.url} --setup-key ${setupKey}`,
    // Nobody has this one: our own joining takes no keys of the server's.
    hash: hashToken(makeToken('')),
    masked: `…${setupKey.slice(-4)}`,
    keep: async (transaction) => {
      await transaction.execute(RECORD_OBJECT.text, recordValues(tenantId, kept, now));
      await transaction.execute(
        `UPDATE network.netbird_object SET reserved_until = NULL WHERE tenant_id = $1 AND kind = 'peer' AND object_id = $2`,
        [tenantId, peerId],
      );
    },
  };
}

async function reservePeer(database: Database, { tenantId, now }: KeyWish): Promise<number> {
  const [reserved] = await database.rows<{ id: number }>(RESERVE_PEER, [
    tenantId,
    now,
    new Date(now.getTime() + RESERVED_MS),
  ]);
  if (!reserved) throw new Error('an insert returned no row');
  return reserved.id;
}
