import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds to wait for the lock; longer than any command. */
const TIMEOUT_MS = 120_000;

/**
 * Runs the work under a host-wide lock of this name. The lock is an abstract socket, which the kernel releases when the
 * process ends, also by `kill -9`. @throws after a time-out
 */
export async function withHostLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
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
    // The promise that loses the race is ignored.
    held.catch(() => undefined);
    taken.catch(() => undefined);
    server.listen({ path });
    const outcome = await Promise.race([held.catch((error: NodeJS.ErrnoException) => error), taken.then(([e]) => e)]);
    if (!outcome) return server;
    if (outcome.code !== 'EADDRINUSE' || waitedMs >= TIMEOUT_MS) throw outcome;
    await delay(50);
  }
}
