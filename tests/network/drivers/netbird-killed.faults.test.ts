import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NetbirdServer } from '../../kit/network/netbird.js';
import { NetbirdPlatform } from '../../kit/network/netbird-platform.js';
import type { Json } from '../../kit/platform.js';
import { ask, until } from '../../kit/watch.js';

/** In which the platform starts again. */
const RESTARTS_MS = 180_000;

let platform: NetbirdPlatform;
let netbird: NetbirdServer;
let all: number;
let network: number;
beforeAll(async () => {
  platform = await NetbirdPlatform.start();
  ({ netbird } = platform);
  ({ default_group: all, default_network: network } = (await platform.send('GET /api/network/me/')).body);
  await platform.settled();
}, 120_000);
afterAll(() => platform.stop());

/** Kills the platform between the next such write and its answer, and starts it again. */
async function killedAt(write: string, act: () => Promise<unknown>): Promise<void> {
  let dead: Promise<void> | undefined;
  netbird.afterWrite = async (done) => {
    if (done === write) dead ??= platform.kill();
    await dead?.catch(() => undefined);
  };
  const acting = act().catch(() => undefined);
  await until(async () => dead !== undefined);
  netbird.afterWrite = () => Promise.resolve();
  await Promise.all([dead, acting]);
}

/** As if the lease of the killed one, of half a minute, had been waited for, and its lost job. */
async function settled(): Promise<void> {
  await ask(platform.databaseUrl, 'UPDATE network.netbird_tenant SET lease = NULL, lease_until = NULL');
  await platform.look();
  await platform.settled();
}

describe('a platform killed with -9 between a write at the server and its record', () => {
  it.each([
    ['POST groups', 'groups', () => platform.send('POST /api/network/groups/', { label: 'once' }), 'once'],
    ['POST networks', 'networks', () => platform.send('POST /api/network/networks/', { name: 'lan' }), 'lan'],
    [
      'POST policies',
      'policies',
      () => platform.send('POST /api/network/policies/', { source_group: all, dest_group: all, protocol: 'icmp' }),
      undefined,
    ],
    [
      'POST resources',
      'resources',
      () =>
        platform.send(`POST /api/network/networks/${network}/resources/`, {
          name: 'printer',
          address: '192.168.1.5',
          groups: [all],
        }),
      undefined,
    ],
  ] as const)(
    'has each object once after %s',
    async (write, kind, act, name) => {
      const before = netbird.list(kind).length;
      await killedAt(write, act);
      await settled();
      expect(netbird.list(kind)).toHaveLength(before + 1);
      if (name !== undefined) expect(platform.named(kind, name).name).toContain(name);
      expect((await platform.drifts()).filter(({ what }: Json) => what === 'added')).toEqual([]);
    },
    RESTARTS_MS,
  );

  it.each(['POST groups', 'POST setup-keys'])(
    'leaves nothing of an enrollment after %s',
    async (write) => {
      const [groups, keys] = [netbird.list('groups').length, netbird.list('setup-keys').length];
      const peers = (await platform.send('GET /api/network/peers/')).body;
      await killedAt(write, () => platform.enroll());
      expect((await platform.send('GET /api/network/peers/')).body).toEqual(peers);
      await settled();
      // As if ten minutes had passed.
      await ask(
        platform.databaseUrl,
        "UPDATE network.netbird_object SET reserved_until = now() - interval '1 s' WHERE reserved_until IS NOT NULL",
      );
      await platform.heals(
        () => netbird.list('groups').length === groups && netbird.list('setup-keys').length === keys,
      );
      expect((await platform.drifts()).filter(({ what }: Json) => what === 'added')).toEqual([]);
    },
    RESTARTS_MS,
  );

  it(
    'has deleted an object after DELETE groups',
    async () => {
      const { id } = (await platform.send('POST /api/network/groups/', { label: 'gone' })).body;
      await platform.has('groups', 'gone');
      await platform.settled();
      await killedAt('DELETE groups', () => platform.send(`DELETE /api/network/groups/${id}/`));
      await settled();
      expect(platform.named('groups', 'gone')).toBeUndefined();
      const rows = `SELECT count(*) FROM network.netbird_object WHERE kind = 'group' AND object_id = ${id}`;
      expect(await ask(platform.databaseUrl, rows)).toBe('0');
    },
    RESTARTS_MS,
  );
});
