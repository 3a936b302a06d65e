import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LOOPBACK, type Forward } from './command-line.rules.js';
import type { Qmp } from './qmp.js';

/** Port range below the ephemeral ports of Linux. */
const RANGE = { from: 20_000, count: 10_000 } as const;

/** Assigns a free host port to each forward, the previous one if possible. */
export async function findPorts(uuid: string, forwards: readonly Forward[]): Promise<Forward[]> {
  const given: Forward[] = [];
  let next = createHash('sha256').update(uuid).digest().readUInt32BE() % RANGE.count;
  for (const { guest, host } of forwards) {
    let port = host;
    for (let tries = 0; port === 0 || given.some((one) => one.host === port) || !(await isFree(port)); tries++) {
      if (tries > RANGE.count) throw new Error('no port is free');
      port = RANGE.from + (next++ % RANGE.count);
    }
    given.push({ guest, host: port });
  }
  return given;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

/** Milliseconds for a guest to accept a connection. */
const ACCEPT_TIMEOUT_MS = 2_000;

/**
 * Whether the guest accepts a connection. QEMU itself accepts every connection first, so its connection table is read
 * instead.
 */
export async function connects(
  { host, guest }: Forward,
  speak: (say: (qmp: Qmp) => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const socket = connect(host, LOOPBACK);
  socket.on('error', () => undefined);
  const found: { isThere?: true } = {};
  try {
    await speak(async (qmp) => {
      for (let waitedMs = 0; !found.isThere && !socket.destroyed && waitedMs < ACCEPT_TIMEOUT_MS; waitedMs += 100) {
        await delay(100);
        const table = String(await qmp.execute('human-monitor-command', { 'command-line': 'info usernet' }));
        if (new RegExp(`TCP\\[ESTABLISHED\\].* ${guest} +\\d+ +\\d+ *\\r?$`, 'm').test(table)) found.isThere = true;
      }
    });
  } finally {
    socket.destroy();
  }
  return found.isThere === true;
}
