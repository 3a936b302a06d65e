import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that are waited for others; the longest command takes less. */
const TIMEOUT_MS = 120_000;

/**
 * Does the work while nobody else on this host, in whatever process, does any under this name. The lock is a socket without
 * a file: the kernel gives it back when its holder ends, also by `kill -9`. @throws when others hold it for too long
 */
export async function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const held = await hold(`\0archipelago ${name}`);
  try {
    return await work();
  } finally {
    held.close();
    await once(held, 'close');
  }
}

async function hold(path: string): Promise<Server> {
  for (let waitedMs = 0; ; waitedMs += 50) {
    const server = createServer((socket) => socket.destroy()).unref();
    const taken = once(server, 'error') as Promise<[NodeJS.ErrnoException]>;
    const held = once(server, 'listening').then(() => undefined);
    // Whichever does not happen is rejected or stays open: neither is of interest.
    held.catch(() => undefined);
    taken.catch(() => undefined);
    server.listen({ path });
    const outcome = await Promise.race([held.catch((error: NodeJS.ErrnoException) => error), taken.then(([e]) => e)]);
    if (!outcome) return server;
    if (outcome.code !== 'EADDRINUSE' || waitedMs >= TIMEOUT_MS) throw outcome;
    await delay(50);
  }
}
