import {
  readObject,
  readPeer,
  type TenantSnapshot,
  type ActualObject,
  type NetbirdPeer,
  type ObjectKind,
} from '../netbird-objects/actual.rules.js';
import type { Database } from '../../../../kernel/database/database.js';
import { readDatabaseTime } from '../netbird-objects/object.actions.js';
import { NetbirdRefusal } from '../netbird-api/netbird-api.js';
import { breachesOf } from '../netbird-drift/isolation.rules.js';
import { pathOf } from '../netbird-api/netbird-paths.rules.js';
import { peerOfName } from '../netbird-objects/desired.rules.js';

/** All objects of the platform on a server, without the contents of networks. */
export interface ServerSnapshot {
  /** When reading started, by the clock of PostgreSQL. */
  readonly at: Date;
  readonly objects: readonly ActualObject[];
  readonly peers: readonly NetbirdPeer[];
  /** Names of foreign policies that connect all machines. */
  readonly breaches: readonly string[];
}

type Answer = Readonly<Record<string, unknown>>;

/** Lists the objects at a path. @throws NetbirdOutage, NetbirdRefusal */
type List = (path: string) => Promise<Answer[]>;

/** Maximum networks that are read in parallel. */
const MAX_AT_ONCE = 4;

/** Reads the objects. @param prefix of the names of all tenants or of one @throws NetbirdOutage, NetbirdRefusal */
export async function readServer(
  database: Database,
  list: List,
  { installation, prefix }: { readonly installation: string; readonly prefix: string },
): Promise<ServerSnapshot> {
  const at = await readDatabaseTime(database);
  const oursOf = (kind: ObjectKind, answers: readonly Answer[]) =>
    answers.map((answer) => readObject(kind, answer)).filter(({ name }) => name.startsWith(prefix));
  const ours = async (kind: ObjectKind) => oursOf(kind, await list(pathOf(kind, null)));
  const groups = (await ours('group')).map((group): ActualObject =>
    peerOfName(group.name) === undefined ? group : { ...group, kind: 'peer' },
  );
  const policies = await list(pathOf('policy', null));
  const objects = [...groups, ...(await ours('network')), ...oursOf('policy', policies), ...(await ours('key'))];
  const breaches = breachesOf(policies, installation);
  return { at, objects, breaches, peers: (await list('/api/peers')).map(readPeer) };
}

/** Adds the contents of a tenant's networks. @param prefix of the tenant's names @throws NetbirdOutage, NetbirdRefusal */
export async function readTenant(list: List, server: ServerSnapshot, prefix: string): Promise<TenantSnapshot> {
  const { at, peers } = server;
  const objects = server.objects.filter(({ name }) => name.startsWith(prefix));
  const networks = objects.filter(({ kind, isEmpty }) => kind === 'network' && !isEmpty);
  for (let start = 0; start < networks.length; start += MAX_AT_ONCE) {
    const some = networks.slice(start, start + MAX_AT_ONCE);
    const inside = await Promise.all(some.map(({ externalId }) => readNetwork(list, externalId)));
    objects.push(...inside.flat());
  }
  return { at, objects, peers };
}

async function readNetwork(list: List, networkId: string): Promise<ActualObject[]> {
  const read = async (kind: ObjectKind) =>
    (await listInside(list, pathOf(kind, networkId))).map((answer) => readObject(kind, answer, networkId));
  return [...(await read('resource')), ...(await read('router'))];
}

/** A network that was deleted meanwhile is empty. */
async function listInside(list: List, path: string): Promise<Answer[]> {
  try {
    return await list(path);
  } catch (error) {
    if (error instanceof NetbirdRefusal && error.status === 404) return [];
    throw error;
  }
}
