import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { asAdmin, graphql } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { runToEnd } from '../../kit/run.js';
import { end } from '../../kit/watch.js';

const GRANT = `mutation ($to: String!, $key: String!) {
  adminGrantCredits(substrateAddress: $to, credits: "0.1", reason: "x", idempotencyKey: $key) { balance }
}`;
const GRANTS = 400;

let dataDir: string;
let next: RunningPlatform;
let user: SignedIn;
/** Keys whose grant was answered. */
const answered = new Set<string>();
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  const { url, processes } = await startInProcess({ DATA_DIR: dataDir });
  user = await signIn(undefined, url);
  const grants = Array.from({ length: GRANTS }, async (_, i) => {
    await asAdmin(GRANT, { to: user.substrateAddress, key: `${i}` }, url);
    answered.add(`${i}`);
    // In the middle of it: a quarter is answered, the rest is under way.
    if (answered.size === GRANTS / 4) for (const { child } of processes) await end(child, 'SIGKILL');
  });
  await Promise.allSettled(grants);
  next = await startInProcess({ DATA_DIR: dataDir });
}, 60_000);
afterAll(async () => {
  await next.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const prove = async (): Promise<number | null> => (await runToEnd(['bundle/prove.js'], { DATA_DIR: dataDir })).code;

describe('a platform killed with -9 in the middle of grants', () => {
  it('was in the middle', () => {
    expect(answered.size).toBeGreaterThanOrEqual(GRANTS / 4);
    expect(answered.size).toBeLessThan(GRANTS);
  });

  it('has a ledger that holds', async () => {
    expect(await prove()).toBe(0);
  });

  it('has every grant that it answered', async () => {
    const ask = '{ creditBalance { balance } }';
    const { data } = await graphql(ask, { token: user.token, url: next.url });
    expect(Number(data.creditBalance.balance) * 10).toBeGreaterThanOrEqual(answered.size - 0.5);
  });

  it('has each grant once when all are tried again', async () => {
    const keys = Array.from({ length: GRANTS }, (_, i) => `${i}`);
    await Promise.all(keys.map((key) => asAdmin(GRANT, { to: user.substrateAddress, key }, next.url)));
    const { data } = await graphql('{ creditBalance { balance } }', { token: user.token, url: next.url });
    expect([data.creditBalance.balance, await prove()]).toEqual([`${GRANTS / 10}`, 0]);
  });
});
