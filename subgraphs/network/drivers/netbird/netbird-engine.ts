import { hashToken, makeToken } from '../../../../kernel/security/credentials.js';
import { unavailable } from '../../../../kernel/errors.js';
import type { KeyPlace, MadeKey, NetworkEngine, DriverDependencies } from '../../joining/setup-key/engine.js';
import { SETUP_KEY_MS } from '../../joining/setup-key/setup-key.rules.js';
import { readObject } from '../netbird-objects/actual.rules.js';
import { Isolation } from '../netbird-drift/isolation.js';
import { NetbirdApi, NetbirdRefusal, NetbirdSilence, netbirdUnavailable } from '../netbird-api/netbird-api.js';
import type { NetbirdConfig } from '../../config.js';
import { recordObject } from '../netbird-objects/object.actions.js';
import { keyFields, peerName, tenantPrefix } from '../netbird-objects/desired.rules.js';

/** A NetBird server carries the networks: it makes the keys, by its own client machines join. */
export function netbirdEngine(config: NetbirdConfig): NetworkEngine {
  // Of its own: people do not wait for jobs.
  const api = new NetbirdApi(config);
  const isolation = new Isolation(api);
  return {
    async makeKey(workshop, where) {
      const place = await where();
      try {
        await isolation.demand(workshop.log);
        if (place.peerId !== undefined) return await makeKeyOfPeer({ api, workshop, id: place.peerId }, place);
        const id = await reservePeer(workshop, place);
        return await makeKey({ api, workshop, id }, place).catch(async (error: unknown) => {
          await abandon(workshop, place, id);
          throw error;
        });
      } catch (error) {
        const isTheirs = error instanceof NetbirdSilence || error instanceof NetbirdRefusal;
        throw isTheirs ? netbirdUnavailable(error, workshop.log) : error;
      }
    },
  };
}

/** How long an enrollment that was begun is waited for before its traces are removed. */
const RESERVED_MS = 600_000;

// The row is there before anything at the server is: what a crash leaves there is known by it, and removed in time.
const RESERVE_PEER = {
  name: 'netbird-reserve-peer',
  text: `
    INSERT INTO network.netbird_object (tenant_id, kind, object_id, sent_at, reserved_until)
    VALUES ($1, 'peer', nextval(pg_get_serial_sequence('network.peer', 'id'))::integer, $2, $3)
    RETURNING object_id AS id`,
};

async function reservePeer({ database, now }: DriverDependencies, { tenantId }: KeyPlace): Promise<number> {
  const until = new Date(now().getTime() + RESERVED_MS);
  const [reserved] = await database.rows<{ id: number }>(RESERVE_PEER, [tenantId, now(), until]);
  if (!reserved) throw new Error('an insert returned no row');
  return reserved.id;
}

const END_RESERVATION = {
  name: 'netbird-end-reservation',
  text: `UPDATE network.netbird_object SET reserved_until = $3
          WHERE tenant_id = $1 AND kind = 'peer' AND object_id = $2 AND reserved_until IS NOT NULL`,
};

/** Nobody waits for its traces any more. A failure does no harm: in time they are removed anyway. */
async function abandon(
  { database, now, log }: DriverDependencies,
  { tenantId }: KeyPlace,
  peerId: number,
): Promise<void> {
  await database.rows(END_RESERVATION, [tenantId, peerId, now()]).catch((error: unknown) => {
    log.warn({ err: error }, 'objects of a failed enrollment remain on the NetBird server for now');
  });
}

const OBJECT_THERE = {
  name: 'netbird-object-there',
  text: `SELECT external_id AS id FROM network.netbird_object
          WHERE tenant_id = $1 AND kind = $2 AND object_id = $3 AND external_id IS NOT NULL`,
};

interface Reserved {
  readonly api: NetbirdApi;
  readonly workshop: DriverDependencies;
  /** Of the peer, mostly one to be. */
  readonly id: number;
}

/** For a peer that is there: its own group was made with everything else. */
async function makeKeyOfPeer(reserved: Reserved, place: KeyPlace): Promise<MadeKey> {
  const values = [place.tenantId, 'peer', reserved.id];
  const [group] = await reserved.workshop.database.rows<{ id: string }>(OBJECT_THERE, values);
  if (!group) throw unavailable('The NetBird server does not know this peer yet.', { retryAfter: 1 });
  return makeSetupKey(reserved, place, group.id);
}

async function makeKey(reserved: Reserved, place: KeyPlace): Promise<MadeKey> {
  const { api, workshop, id } = reserved;
  const { database, now } = workshop;
  const { tenantId } = place;
  const name = peerName(tenantPrefix(api.config.installation, tenantId), id);
  const sent = { name, peers: [] };
  const group = await api.write('POST', '/api/groups', { ...sent, resources: [] });
  const made = { kind: 'peer', id, externalId: group.id, sent, answered: readObject('peer', group).fields } as const;
  await recordObject(database, tenantId, { object: made, now: now() });
  return makeSetupKey(reserved, place, group.id);
}

/** @param ownGroup the peer's own at the server */
async function makeSetupKey({ api, workshop, id }: Reserved, place: KeyPlace, ownGroup: string): Promise<MadeKey> {
  const { database, now } = workshop;
  const { tenantId, groupId } = place;
  const name = peerName(tenantPrefix(api.config.installation, tenantId), id);
  // One that is not there yet the key gets when it is made.
  const [there] = await database.rows<{ id: string }>(OBJECT_THERE, [tenantId, 'group', groupId]);
  const wanted = keyFields(name, [ownGroup, ...(there ? [there.id] : [])]);
  const key = await api.write('POST', '/api/setup-keys', {
    name,
    type: 'one-off',
    expires_in: SETUP_KEY_MS / 1000,
    auto_groups: wanted.auto_groups,
    usage_limit: 1,
    ephemeral: false,
  });
  if (typeof key.key !== 'string' || !/^[\w-]+$/.test(key.key))
    throw new NetbirdSilence('NetBird returned a setup key without its secret');
  const kept = { kind: 'key', id, externalId: key.id, sent: wanted, answered: readObject('key', key).fields } as const;
  return {
    peerId: id,
    setupKey: key.key,
    joinCommand: `netbird up --management-url ${api.config.url} --setup-key ${key.key}`,
    // Nobody has this one: our own joining takes no keys of the server's.
    hash: hashToken(makeToken('')),
    masked: `…${key.key.slice(-4)}`,
    keep: async (transaction) => {
      await recordObject(database, tenantId, { object: kept, now: now(), transaction });
      await transaction.execute(END_RESERVATION.text, [tenantId, id, null]);
    },
    abandon: () => abandon(workshop, place, id),
  };
}
