import { readFileSync } from 'node:fs';
import { median } from '../figures.js';
import { ask } from '../asking.js';
import { SCALE } from './dataset.js';
import { Listener, openListeners } from './listener.js';
import { newOwners, type Owner, type Server, type Setting } from './setting.js';

/** As many sockets as a user may have. */
const SOCKETS_EACH = 20;
/** And as many subscriptions to topologies: a hundred of a user, on twenty sockets. */
const MAX_WATCHING = 5;
/** For a thousand sockets it takes fifty users. */
const NETWORKS = 50;
const ROUNDS = 3;

/** From the answer of a change until the last subscriber has its event; medians of rounds. */
export interface EventFigures {
  readonly name: string;
  readonly subscribers: number;
  readonly sockets: number;
  /** Of one event. */
  readonly bytes: number;
  readonly ms: number;
  /** A bare server that sends the same bytes as often to as many sockets. */
  readonly floorMs: number;
}

/** Of the server, for each of a thousand signed in sockets. */
export interface MemoryFigures {
  readonly sockets: number;
  readonly kibPerSocket: number | undefined;
  /** The bare server's, which keeps nothing about them. */
  readonly floorKibPerSocket: number | undefined;
}

/** A change of the large network, with as many subscribers as one may have; then one of each of fifty, with a thousand sockets. */
export async function measureEvents({ platform, bare, owner }: Setting): Promise<EventFigures[]> {
  const others = await newOwners(platform.url, NETWORKS);
  const cases = [
    { name: `one change of ${SCALE.peers} peers`, owners: [owner], watching: MAX_WATCHING },
    { name: 'one change of an empty network', owners: others.slice(0, 1), watching: MAX_WATCHING },
    {
      name: `a change of each of ${NETWORKS} empty networks, ${SOCKETS_EACH} sockets a user`,
      owners: others,
      watching: 1,
    },
  ];
  const figures: EventFigures[] = [];
  for (const { name, owners, watching } of cases) {
    const sockets = owners.length * SOCKETS_EACH;
    const ofOwner = (n: number) => owners[n % owners.length]?.token ?? '';
    const listeners = await openListeners(sockets, (n) => Listener.watching(platform.url, ofOwner(n), watching));
    const ms = await rounds(listeners, watching, () => changeAll(platform, owners));
    const event = listeners[0]?.newest ?? Buffer.alloc(0);
    await closeAll(listeners);
    const plain = await openListeners(sockets, () => Listener.bare(bare.url));
    const send = () => ask('POST', `${bare.url}/send?times=${watching}`, { body: event });
    const floorMs = await rounds(plain, watching, send);
    await closeAll(plain);
    figures.push({ name, subscribers: sockets * watching, sockets, bytes: event.length, ms, floorMs });
  }
  return figures;
}

/** Changes, by whoever can; how long until all have heard of it. */
async function rounds(
  listeners: readonly Listener[],
  watching: number,
  change: () => Promise<unknown>,
): Promise<number> {
  const ms: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const heard = Promise.all(listeners.map((listener) => listener.hears(watching)));
    // Refused meanwhile, it is told below, after which the platform says what it has to say.
    heard.catch(() => undefined);
    await change();
    const answeredMs = performance.now();
    const lastMs = Math.max(...(await heard));
    // The first warms up; an event may overtake the answer.
    if (round > 0) ms.push(Math.max(0, lastMs - answeredMs));
  }
  return median(ms);
}

let changes = 0;

async function changeAll({ url }: Server, owners: readonly Owner[]): Promise<void> {
  await Promise.all(
    owners.map(({ token }) =>
      ask('POST', `${url}/api/network/groups/`, {
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ label: `change-${++changes}` }),
      }),
    ),
  );
}

/** A thousand sockets of fifty users, each with a subscription to an empty network. */
export async function measureMemory({ platform, bare }: Setting): Promise<MemoryFigures> {
  const users = await newOwners(platform.url, NETWORKS);
  const sockets = NETWORKS * SOCKETS_EACH;
  const ofUser = (n: number) => users[n % NETWORKS]?.token ?? '';
  return {
    sockets,
    kibPerSocket: await grown(platform, sockets, (n) => Listener.watching(platform.url, ofUser(n), 1)),
    floorKibPerSocket: await grown(bare, sockets, () => Listener.bare(bare.url)),
  };
}

async function grown(
  server: Server,
  sockets: number,
  open: (n: number) => Promise<Listener>,
): Promise<number | undefined> {
  const before = residentKib(server);
  const listeners = await openListeners(sockets, open);
  const after = residentKib(server);
  await closeAll(listeners);
  return before === undefined || after === undefined ? undefined : (after - before) / sockets;
}

/** Where /proc tells. */
function residentKib({ pid }: Server): number | undefined {
  try {
    const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib);
  } catch {
    return undefined;
  }
}

async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}
