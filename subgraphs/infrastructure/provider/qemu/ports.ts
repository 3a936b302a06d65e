import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { LOOPBACK, type Forward } from './command-line.rules.js';

/** Below those that Linux gives to outgoing connections. */
const RANGE = { from: 20_000, count: 10_000 } as const;

/** Gives each a port of this host that is free: the one it had, if it can be. */
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
