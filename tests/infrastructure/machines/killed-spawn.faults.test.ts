import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { machineIn, spawn } from '../../kit/machines/machine.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { asAdmin, call, graphql, type Json } from '../../kit/platform.js';
import { grantAt } from '../../kit/files/storage-price.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask, end, until } from '../../kit/watch.js';

const MACHINES = 12;

let databaseUrl: string;
let env: { readonly DATA_DIR: string; readonly DATABASE_URL: string };
let running: RunningPlatform;
let user: SignedIn;
/** Of machines, by the state that a kill found them in. */
const found = new Map<string, number>();
const ids = new Set<number>();

async function kill(): Promise<void> {
  for (const { child } of running.processes) await end(child, 'SIGKILL');
  const states = await ask(
    databaseUrl,
    `SELECT json_object_agg(state, n) FROM (SELECT state, count(*) AS n FROM infrastructure.vm_instance GROUP BY state) s`,
  );
  for (const [state, count] of Object.entries((states ?? {}) as Record<string, number>))
    found.set(state, (found.get(state) ?? 0) + count);
  running = await startInProcess(env);
}

/** Sends spawns with keys until each is answered, whatever happens to the platform meanwhile. */
async function spawnAll(round: string): Promise<void> {
  const tries = Array.from({ length: MACHINES / 3 }, async (_, index) => {
    const reply = await spawn(user, { key: `${round} ${index}`, url: running.url }).catch(() => undefined);
    if (reply?.status === 202) ids.add(reply.body.id);
  });
  await Promise.all(tries);
}

beforeAll(async () => {
  databaseUrl = await newDatabase();
  env = { DATA_DIR: await mkdtemp(join(tmpdir(), 'archipelago-')), DATABASE_URL: databaseUrl };
  running = await startInProcess(env);
  user = await signIn(undefined, running.url);
  const roles = 'mutation ($to: String!) { adminSetRoles(substrateAddress: $to, roles: [BETA]) { id } }';
  await asAdmin(roles, { to: user.substrateAddress }, running.url);
  await grantAt(user, '1000', running.url);
  // As they are answered, while the host makes them, and in the middle of the requests.
  await spawnAll('a');
  await kill();
  await spawnAll('b');
  await until(async () => Number(await ask(databaseUrl, 'SELECT count(*) FROM infrastructure.simulated_machine')) > 5);
  await kill();
  const sent = spawnAll('c');
  await until(async () => Number(await ask(databaseUrl, 'SELECT count(*) FROM accounts.hold')) > 8);
  await kill();
  await sent;
  await spawnAll('c');
}, 120_000);
afterAll(async () => {
  await running.stop();
  await rm(env.DATA_DIR, { recursive: true, force: true });
});

describe('a platform killed with -9 in the middle of spawns', () => {
  it('was in the middle', () => {
    expect((found.get('pending') ?? 0) + (found.get('spawning') ?? 0)).toBeGreaterThan(3);
  });

  it('brings every machine up when it runs again', async () => {
    const asked = { token: user.token, url: running.url };
    const machines = await Promise.all([...ids].map((id) => machineIn('running', id, asked)));
    expect(machines.length).toBe(MACHINES);
    const { body } = await call('GET /api/infrastructure/vm/instances/', asked);
    expect(body.map(({ status }: Json) => status)).toEqual(machines.map(() => 'running'));
  }, 60_000);

  it('made each of them once', async () => {
    const boots = 'SELECT json_build_array(count(*), max(boots)) FROM infrastructure.simulated_machine';
    expect(await ask(databaseUrl, boots)).toEqual([MACHINES, 1]);
  });

  it('ran none twice, as the log of changes tells', async () => {
    // Made, spawning, running: one change each.
    const revisions = 'SELECT json_agg(DISTINCT revision) FROM infrastructure.vm_instance';
    expect(await ask(databaseUrl, revisions)).toEqual([3]);
  });

  it('answers the same keys with the same machines', async () => {
    const replies = await Promise.all(
      ['a', 'b', 'c'].map((round) => spawn(user, { key: `${round} 0`, url: running.url })),
    );
    expect(replies.map(({ status, body }) => [status, ids.has(body.id)])).toEqual(replies.map(() => [202, true]));
  });

  it('holds credits for each once', async () => {
    const holds = "SELECT count(*)::integer FROM accounts.hold WHERE source = 'vm' AND state = 'open'";
    // One that a charge used up is renewed a moment later.
    await until(async () => (await ask(databaseUrl, holds)) === MACHINES);
    const { data } = await graphql('{ creditBalance { held } }', { token: user.token, url: running.url });
    expect(Number(data.creditBalance.held)).toBeLessThanOrEqual(MACHINES * 10);
  });
});
