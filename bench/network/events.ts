import { median } from '../statistics.js';
import { newOwners, type Environment, type Owner } from '../environment.js';
import { cpuMs, residentKib, type Server } from '../processes.js';
import type { Row } from '../report.js';
import { sendRequest } from '../send-request.js';
import { Listener, openListeners } from './listener.js';

/** The maximum number of sockets of a user. */
const SOCKETS_PER_USER = 20;
/** Subscriptions per socket: a user may have a hundred topology subscriptions, here on twenty sockets. */
const MAX_SUBSCRIPTIONS = 5;
const PEER = 'raw ws';

/**
 * Measures the memory of a socket, then a change that a thousand sockets of fifty users get, then a change with the maximum
 * number of subscribers of a network. The bare server sends the same bytes the same number of times and keeps nothing per socket.
 */
export async function measureEvents(environment: Environment): Promise<Row[]> {
  const others = await newOwners(environment.platform.url, environment.scale.users);
  return [
    await measureMemory(environment, others),
    ...(await measureEvent(environment, { work: `${others.length} changes`, owners: others, subscriptions: 1 })),
    ...(await measureEvent(environment, {
      work: 'one change',
      owners: others.slice(0, 1),
      subscriptions: MAX_SUBSCRIPTIONS,
    })),
  ];
}

interface Event {
  readonly work: string;
  readonly owners: readonly Owner[];
  readonly subscriptions: number;
}

/** Measures the time from the response of a change until the last subscriber has its event, and the CPU time of both. */
async function measureEvent(environment: Environment, { work, owners, subscriptions }: Event): Promise<Row[]> {
  const { platform, bare, scale } = environment;
  const listeners = await openListeners(owners.length * SOCKETS_PER_USER, (n) =>
    Listener.subscribe(platform.url, owners[n % owners.length]?.token ?? '', subscriptions),
  );
  const change = () => changeAll(platform, owners);
  const ours = await measureRounds(platform, { listeners, subscriptions, change, rounds: scale.rounds });
  const event = listeners[0]?.newest ?? Buffer.alloc(0);
  await closeAll(listeners);
  const bareListeners = await openListeners(listeners.length, () => Listener.bare(bare.url));
  const send = () => sendRequest('POST', `${bare.url}/send?times=${subscriptions}`, { body: event });
  const all = { listeners: bareListeners, subscriptions, change: send, rounds: scale.rounds };
  const theirs = await measureRounds(bare, all);
  await closeAll(bareListeners);
  const name = `${work} to ${listeners.length * subscriptions} subscribers on ${listeners.length} sockets, ${event.length} bytes`;
  return [
    { work: name, peer: PEER, unit: 'wall ms', ours: ours.wallMs, theirs: theirs.wallMs, goal: '1 ×' },
    { work: `${name}, with the change`, peer: PEER, unit: 'CPU ms', ours: ours.cpuMs, theirs: theirs.cpuMs },
  ];
}

interface Rounds {
  readonly listeners: readonly Listener[];
  readonly subscriptions: number;
  readonly change: () => Promise<unknown>;
  readonly rounds: number;
}

async function measureRounds(
  { pid }: Server,
  { listeners, subscriptions, change, rounds }: Rounds,
): Promise<{ readonly wallMs: number; readonly cpuMs: number }> {
  const [wall, cpu] = [new Array<number>(), new Array<number>()];
  for (let round = 0; round <= rounds; round++) {
    const received = Promise.all(listeners.map((listener) => listener.receive(subscriptions)));
    // Avoids an unhandled rejection; the `await` below throws it.
    received.catch(() => undefined);
    const startCpuMs = cpuMs([pid]) ?? Number.NaN;
    await change();
    const answeredMs = performance.now();
    const lastMs = Math.max(...(await received));
    // The first round warms up.
    if (round === 0) continue;
    cpu.push((cpuMs([pid]) ?? Number.NaN) - startCpuMs);
    // An event can arrive before the response.
    wall.push(Math.max(0, lastMs - answeredMs));
  }
  return { wallMs: median(wall), cpuMs: median(cpu) };
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

/** Measures the sockets of many users, each with a subscription to an empty network. */
async function measureMemory({ platform, bare }: Environment, owners: readonly Owner[]): Promise<Row> {
  const sockets = owners.length * SOCKETS_PER_USER;
  const tokenOf = (n: number) => owners[n % owners.length]?.token ?? '';
  const ours = await memoryPerSocket(platform, sockets, (n) => Listener.subscribe(platform.url, tokenOf(n), 1));
  const theirs = await memoryPerSocket(bare, sockets, () => Listener.bare(bare.url));
  const work = `memory of each of ${sockets} sockets with a subscription`;
  return { work, peer: PEER, unit: 'KiB', ours, theirs, goal: '12' };
}

async function memoryPerSocket(
  { pid }: Server,
  sockets: number,
  open: (n: number) => Promise<Listener>,
): Promise<number> {
  const before = residentKib(pid) ?? Number.NaN;
  const listeners = await openListeners(sockets, open);
  const after = residentKib(pid) ?? Number.NaN;
  await closeAll(listeners);
  return (after - before) / sockets;
}

async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()));
}
