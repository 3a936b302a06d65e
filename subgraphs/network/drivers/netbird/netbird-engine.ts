import { sql, type NotNull } from 'kysely';
import { hashToken, makeToken } from '../../../../kernel/security/credentials.js';
import { unaudited } from '../../../../kernel/audit/audited.js';
import { query } from '../../../../kernel/database/query.js';
import { unavailable } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import type { KeyPlace, MadeKey, NetworkEngine, DriverDependencies } from '../../joining/setup-key/engine.js';
import { SETUP_KEY_TTL_MS } from '../../joining/setup-key/setup-key.rules.js';
import { readObject } from '../netbird-objects/actual.rules.js';
import { Isolation } from '../netbird-drift/isolation.js';
import { NetbirdApi, NetbirdRefusal, NetbirdOutage, netbirdUnavailable } from '../netbird-api/netbird-api.js';
import type { NetbirdConfig } from '../../config.js';
import { recordObject, SENT_NOW } from '../netbird-objects/object.actions.js';
import { keyFields, peerName, tenantPrefix } from '../netbird-objects/desired.rules.js';

/** Networks on a NetBird server: it creates the setup keys, and machines join with its own client. */
export function netbirdEngine(config: NetbirdConfig): NetworkEngine {
  // A separate client, so that users do not wait for jobs.
  const api = new NetbirdApi(config);
  const isolation = new Isolation(api);
  return {
    async makeKey(dependencies, where) {
      const place = await where();
      try {
        await isolation.check(dependencies.log);
        const id = place.peerId ?? (await reservePeer(dependencies, place));
        const make = place.peerId === undefined ? makeKey : makeKeyOfPeer;
        return await make({ api, dependencies, id }, place).catch(async (error: unknown) => {
          await endReservation(dependencies, place, id);
          throw error;
        });
      } catch (error) {
        const isTheirs = error instanceof NetbirdOutage || error instanceof NetbirdRefusal;
        throw isTheirs ? netbirdUnavailable(error, dependencies.log) : error;
      }
    },
  };
}

/** Time-out of an unfinished enrollment, after which its objects are removed. */
const RESERVATION_MS = 600_000;

// The row exists before any object on the server, so that objects left by a crash can be found and removed.
const RESERVE_PEER = query('netbird-reserve-peer', (db: Tables, value: { tenantId: number; until: Date }) =>
  db
    .insertInto('netbirdObject')
    .values({
      tenantId: value.tenantId,
      kind: 'peer',
      objectId: sql<number>`nextval(pg_get_serial_sequence('network.peer', 'id'))::integer`,
      sentAt: SENT_NOW,
      reservedUntil: value.until,
    })
    .returning('objectId as id'),
);

async function reservePeer({ database, now }: DriverDependencies, { tenantId }: KeyPlace): Promise<number> {
  const until = new Date(now().getTime() + RESERVATION_MS);
  const [reserved] = await unaudited(database).run(RESERVE_PEER, { tenantId, until });
  if (!reserved) throw new Error('an insert returned no row');
  return reserved.id;
}

const END_RESERVATION = query(
  'netbird-end-reservation',
  (db: Tables, value: { tenantId: number; peerId: number; reservedUntil: Date | null }) =>
    db
      .updateTable('netbirdObject')
      .set({ reservedUntil: value.reservedUntil })
      .where('tenantId', '=', value.tenantId)
      .where('kind', '=', 'peer')
      .where('objectId', '=', value.peerId)
      .where('reservedUntil', 'is not', null),
);

/** Ends the reservation early. A failure does no harm, because the objects are removed after the time-out. */
async function endReservation(
  { database, now, log }: DriverDependencies,
  { tenantId }: KeyPlace,
  peerId: number,
): Promise<void> {
  await unaudited(database)
    .run(END_RESERVATION, { tenantId, peerId, reservedUntil: now() })
    .catch((error: unknown) => {
      log.warn({ err: error }, 'objects of a failed enrollment remain on the NetBird server for now');
    });
}

const RESERVE_KEY = query(
  'netbird-reserve-key',
  (db: Tables, value: { tenantId: number; peerId: number; until: Date }) =>
    db
      .updateTable('netbirdObject')
      .set({ reservedUntil: value.until })
      .where('tenantId', '=', value.tenantId)
      .where('kind', '=', 'peer')
      .where('objectId', '=', value.peerId),
);

const EXTERNAL_ID = query(
  'netbird-object-there',
  (db: Tables, value: { tenantId: number; kind: 'peer' | 'group'; id: number }) =>
    db
      .selectFrom('netbirdObject')
      .select('externalId')
      .where('tenantId', '=', value.tenantId)
      .where('kind', '=', value.kind)
      .where('objectId', '=', value.id)
      .$narrowType<{ externalId: NotNull }>()
      .where('externalId', 'is not', null),
);

interface Reserved {
  readonly api: NetbirdApi;
  readonly dependencies: DriverDependencies;
  /** The id of the peer, which usually does not exist yet. */
  readonly id: number;
}

/** Creates the key of an existing peer, whose own group exists already. */
async function makeKeyOfPeer(reserved: Reserved, place: KeyPlace): Promise<MadeKey> {
  const desired = { tenantId: place.tenantId, kind: 'peer', id: reserved.id } as const;
  const [group] = await reserved.dependencies.database.run(EXTERNAL_ID, desired);
  if (!group) throw unavailable('The NetBird server does not know this peer yet.', { retryAfter: 1 });
  // So that a reconciliation does not remove the key before it is stored.
  const until = new Date(reserved.dependencies.now().getTime() + RESERVATION_MS);
  await unaudited(reserved.dependencies.database).run(RESERVE_KEY, {
    tenantId: place.tenantId,
    peerId: reserved.id,
    until,
  });
  return makeSetupKey(reserved, place, group.externalId);
}

async function makeKey(reserved: Reserved, place: KeyPlace): Promise<MadeKey> {
  const { api, dependencies, id } = reserved;
  const { database } = dependencies;
  const { tenantId } = place;
  const name = peerName(tenantPrefix(api.config.installation, tenantId), id);
  const sent = { name, peers: [] };
  const group = await api.write('POST', '/api/groups', { ...sent, resources: [] });
  const made = { kind: 'peer', id, externalId: group.id, sent, answered: readObject('peer', group).fields } as const;
  await recordObject(database, tenantId, made);
  return makeSetupKey(reserved, place, group.id);
}

/** @param ownGroup the server id of the peer's own group */
async function makeSetupKey({ api, dependencies, id }: Reserved, place: KeyPlace, ownGroup: string): Promise<MadeKey> {
  const { database } = dependencies;
  const { tenantId, groupId } = place;
  const name = peerName(tenantPrefix(api.config.installation, tenantId), id);
  // If the group does not exist yet, the key gets it when the group is created.
  const [there] = await database.run(EXTERNAL_ID, { tenantId, kind: 'group', id: groupId });
  const desired = keyFields(name, [ownGroup, ...(there ? [there.externalId] : [])]);
  const key = await api.write('POST', '/api/setup-keys', {
    name,
    type: 'one-off',
    expires_in: SETUP_KEY_TTL_MS / 1000,
    auto_groups: desired.auto_groups,
    usage_limit: 1,
    ephemeral: false,
  });
  if (typeof key.key !== 'string' || !/^[\w-]+$/.test(key.key))
    throw new NetbirdOutage('NetBird returned a setup key without its secret');
  const kept = { kind: 'key', id, externalId: key.id, sent: desired, answered: readObject('key', key).fields } as const;
  return {
    peerId: id,
    setupKey: key.key,
    joinCommand: `netbird up --management-url ${api.config.url} --setup-key ${key.key}`,
    // A random hash that matches no key, because the platform's own join accepts no NetBird keys.
    hash: hashToken(makeToken('')),
    masked: `…${key.key.slice(-4)}`,
    keep: async (transaction) => {
      await recordObject(transaction, tenantId, kept);
      await transaction.run(END_RESERVATION, { tenantId, peerId: id, reservedUntil: null });
    },
    abandon: () => endReservation(dependencies, place, id),
  };
}
