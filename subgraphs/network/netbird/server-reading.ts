import {
  readObject,
  readPeer,
  type Findings,
  type FoundObject,
  type NetbirdPeer,
  type ObjectKind,
} from './found.rules.js';
import { NetbirdRefusal, type NetbirdApi } from './netbird-api.js';
import { breachesOf } from './isolation.rules.js';
import { pathOf } from './netbird-paths.rules.js';
import { peerOfName } from './wanted.rules.js';

/** All that a server keeps under our names, but for what is in its networks. */
export interface Surface {
  /** When the reading began. */
  readonly at: Date;
  readonly objects: readonly FoundObject[];
  readonly peers: readonly NetbirdPeer[];
  /** Names of policies of others that let all machines reach one another. */
  readonly breaches: readonly string[];
}

type Answer = Readonly<Record<string, unknown>>;

/** Networks that are looked into side by side. */
const MOST_AT_ONCE = 4;

/** Reads it, of all tenants. @param prefix what our names begin with @throws NetbirdSilence, NetbirdRefusal */
export async function readSurface(api: NetbirdApi, prefix: string, now: () => Date): Promise<Surface> {
  const at = now();
  const oursOf = (kind: ObjectKind, answers: readonly Answer[]) =>
    answers.map((answer) => readObject(kind, answer)).filter(({ name }) => name.startsWith(prefix));
  const ours = async (kind: ObjectKind) => oursOf(kind, await api.list(pathOf(kind, null)));
  const groups = (await ours('group')).map((group): FoundObject =>
    peerOfName(group.name) === undefined ? group : { ...group, kind: 'peer' },
  );
  const policies = await api.list(pathOf('policy', null));
  const objects = [...groups, ...(await ours('network')), ...oursOf('policy', policies), ...(await ours('key'))];
  const breaches = breachesOf(policies, api.config.installation);
  return { at, objects, breaches, peers: (await api.list('/api/peers')).map(readPeer) };
}

/** Adds what is in a tenant's networks. @param prefix of the tenant's names @throws NetbirdSilence, NetbirdRefusal */
export async function readTenant(api: NetbirdApi, surface: Surface, prefix: string): Promise<Findings> {
  const { at, peers } = surface;
  const objects = surface.objects.filter(({ name }) => name.startsWith(prefix));
  const networks = objects.filter(({ kind, isEmpty }) => kind === 'network' && !isEmpty);
  for (let start = 0; start < networks.length; start += MOST_AT_ONCE) {
    const some = networks.slice(start, start + MOST_AT_ONCE);
    const inside = await Promise.all(some.map(({ externalId }) => readNetwork(api, externalId)));
    objects.push(...inside.flat());
  }
  return { at, objects, peers };
}

async function readNetwork(api: NetbirdApi, networkId: string): Promise<FoundObject[]> {
  const read = async (kind: ObjectKind) =>
    (await listInside(api, pathOf(kind, networkId))).map((answer) => readObject(kind, answer, networkId));
  return [...(await read('resource')), ...(await read('router'))];
}

/** One that was deleted meanwhile holds nothing. */
async function listInside(api: NetbirdApi, path: string): Promise<Answer[]> {
  try {
    return await api.list(path);
  } catch (error) {
    if (error instanceof NetbirdRefusal && error.status === 404) return [];
    throw error;
  }
}
