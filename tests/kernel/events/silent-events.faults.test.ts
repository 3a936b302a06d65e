import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PlatformEvent } from '../../../kernel/events/events.js';
import { openPostgresEvents } from '../../../kernel/events/postgres-events.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { startLossyNetwork, type LossyNetwork } from '../../kit/database/lossy-network.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { until } from '../../kit/watch.js';

const log = openLog('silent', 'tests');
const stop = new AbortController();

let databaseUrl: string;
let network: LossyNetwork;
beforeAll(async () => {
  databaseUrl = await newDatabase();
  network = await startLossyNetwork(databaseUrl);
});
afterAll(() => network.close());

describe('a process that only listens, whose connection is lost without an end', () => {
  it('connects again, and its subscribers read again', async () => {
    const [listening, publishing] = [
      await openPostgresEvents(network.url, 'tests', log),
      await openPostgresEvents(databaseUrl, 'tests', log),
    ];
    const heard: PlatformEvent[] = [];
    void (async () => {
      for await (const event of listening.subscribe(['a'], stop.signal)) heard.push(event);
    })();
    network.lose();
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
