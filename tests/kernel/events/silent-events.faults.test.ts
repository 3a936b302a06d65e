import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { PlatformEvent } from '../../../kernel/events/events.js';
import { openPostgresEvents } from '../../../kernel/events/postgres-events.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { until } from '../../kit/watch.js';

const log = openLog('silent', 'tests');
const stop = new AbortController();

let databaseUrl: string;
let server: Server;
let sockets: Socket[];
/** The URL of the database through a network that can lose its connections without an end. */
let proxyUrl: string;
beforeAll(async () => {
  databaseUrl = await newDatabase();
  const target = new URL(databaseUrl);
  sockets = [];
  server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) sockets.push(socket.on('error', () => undefined));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxyUrl = Object.assign(new URL(databaseUrl), { port: `${(server.address() as AddressInfo).port}` }).href;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});

/** Neither side gets anything through the present connections from now on, nor their end. */
function lose(): void {
  for (const socket of sockets) socket.unpipe().pause();
}

describe('a process that only listens, whose connection is lost without an end', () => {
  it('connects again, and its subscribers read again', async () => {
    const [listening, publishing] = [
      await openPostgresEvents(proxyUrl, 'tests', log),
      await openPostgresEvents(databaseUrl, 'tests', log),
    ];
    const heard: PlatformEvent[] = [];
    void (async () => {
      for await (const event of listening.subscribe(['a'], stop.signal)) heard.push(event);
    })();
    lose();
    publishing.publish({ topic: 'a', id: 'lost' });
    await until(async () => heard.length > 0, 60_000);
    expect(heard).toEqual([{ topic: 'a' }]);
    publishing.publish({ topic: 'a', id: 'next' });
    await until(async () => heard.length > 1);
    expect(heard.at(-1)).toEqual({ topic: 'a', id: 'next' });
    stop.abort();
    await listening.close();
    await publishing.close();
  }, 120_000);
});
