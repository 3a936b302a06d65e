import { readFileSync } from 'node:fs';
import { median } from '../statistics.js';
import { sendRequest } from '../send-request.js';
import { SCALE } from './dataset.js';
import { Listener, openListeners } from './listener.js';
import { newOwners, type Owner, type Server, type Environment } from './environment.js';

/** The maximum number of sockets of a user. */
const SOCKETS_PER_USER = 20;
/** Subscriptions per socket: a user may have a hundred topology subscriptions, here on twenty sockets. */
const MAX_SUBSCRIPTIONS = 5;
/** Fifty users together have a thousand sockets. */
const USERS = 50;
const ROUNDS = 3;

/** Time from the response of a change until the last subscriber has its event: medians of rounds. */
export interface EventFigures {
  readonly name: string;
  readonly subscribers: number;
  readonly sockets: number;
  /** Size of one event. */
  readonly bytes: number;
  readonly ms: number;
  /** A bare server that sends the same bytes the same number of times. */
  readonly baselineMs: number;
}

/** Memory of the server per signed-in socket. */
export interface MemoryFigures {
  readonly sockets: number;
  readonly kibPerSocket: number | undefined;
  /** The bare server, which stores nothing per socket. */
  readonly baselineKibPerSocket: number | undefined;
}

/** Measures a change of the large network with the maximum number of subscribers, then of fifty networks with a thousand sockets. */
export async function measureEvents({ platform, bare, owner }: Environment): Promise<EventFigures[]> {
  const others = await newOwners(platform.url, USERS);
  const cases = [
    { name: `one change of ${SCALE.peers} peers`, owners: [owner], subscriptions: MAX_SUBSCRIPTIONS },
    { name: 'one change of an empty network', owners: others.slice(0, 1), subscriptions: MAX_SUBSCRIPTIONS },
    {
      name: `a change of each of ${USERS} empty networks, ${SOCKETS_PER_USER} sockets a user`,
      owners: others,
      subscriptions: 1,
    },
  ];
  const figures: EventFigures[] = [];
  for (const { name, owners, subscriptions } of cases) {
    const sockets = owners.length * SOCKETS_PER_USER;
    const tokenOf = (n: number) => owners[n % owners.length]?.token ?? '';
    const listeners = await openListeners(sockets, (n) => Listener.subscribe(platform.url, tokenOf(n), subscriptions));
    const ms = await measureRounds(listeners, subscriptions, () => changeAll(platform, owners));
    const event = listeners[0]?.newest ?? Buffer.alloc(0);
    await closeAll(listeners);
    const bareListeners = await openListeners(sockets, () => Listener.bare(bare.url));
    const send = () => sendRequest('POST', `${bare.url}/send?times=${subscriptions}`, { body: event });
    const baselineMs = await measureRounds(bareListeners, subscriptions, send);
    await closeAll(bareListeners);
    figures.push({ name, subscribers: sockets * subscriptions, sockets, bytes: event.length, ms, baselineMs });
  }
  return figures;
}

/** Makes a change in each round. Returns the median time until all listeners have its event. */
async function measureRounds(
  listeners: readonly Listener[],
  subscriptions: number,
  change: () => Promise<unknown>,
): Promise<number> {
  const ms: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const received = Promise.all(listeners.map((listener) => listener.receive(subscriptions)));
    // Avoids an unhandled rejection; the `await` below throws it.
    received.catch(() => undefined);
    await change();
    const answeredMs = performance.now();
    const lastMs = Math.max(...(await received));
    // The first round warms up. An event can arrive before the response.
    if (round > 0) ms.push(Math.max(0, lastMs - answeredMs));
  }
  return median(ms);
}

let changes = 0;

async function changeAll({ url }: Server, owners: readonly Owner[]): Promise<void> {
  await Promise.all(
    owners.map(({ token }) =>
      sendRequest('POST', `${url}/api/network/groups/`, {
        headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ label: `change-${++changes}` }),
      }),
    ),
  );
}

/** Measures a thousand sockets of fifty users, each with a subscription to an empty network. */
export async function measureMemory({ platform, bare }: Environment): Promise<MemoryFigures> {
  const users = await newOwners(platform.url, USERS);
  const sockets = USERS * SOCKETS_PER_USER;
  const tokenOf = (n: number) => users[n % USERS]?.token ?? '';
  return {
    sockets,
    kibPerSocket: await memoryPerSocket(platform, sockets, (n) => Listener.subscribe(platform.url, tokenOf(n), 1)),
    baselineKibPerSocket: await memoryPerSocket(bare, sockets, () => Listener.bare(bare.url)),
  };
}

async function memoryPerSocket(
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

/** Resident memory; undefined without /proc. */
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
