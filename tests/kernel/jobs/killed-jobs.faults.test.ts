import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { addEndpoint, deliveriesTo, tell } from '../../kit/accounts/notice.js';
import { startOnDatabase } from '../../kit/database/own-database.js';
import type { Json } from '../../kit/platform.js';
import { Receiver } from '../../kit/accounts/receiver.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { end, until } from '../../kit/watch.js';

/** As many as one user's jobs may run at a time. */
const MAX_OF_GROUP = 3;

let running: RunningPlatform;
let env: Readonly<Record<string, string>>;
let receiver: Receiver;
let user: SignedIn;
let isSilent = true;

beforeAll(async () => {
  const started = await startOnDatabase();
  running = started;
  env = { DATABASE_URL: started.databaseUrl, DATA_DIR: started.dataDir };
  receiver = await Receiver.open(() => (isSilent ? undefined : { status: 204 }));
  user = await signIn(undefined, running.url);
}, 60_000);
afterAll(async () => {
  receiver.close();
  await running.stop();
  await rm(env.DATA_DIR ?? '', { recursive: true, force: true });
});

describe('jobs whose process was killed while they ran', () => {
  it('hold up no others of their user for longer than a minute', async () => {
    const { id } = await addEndpoint(user, { url: receiver.url, kinds: ['payment'] }, running.url);
    for (let number = 1; number <= MAX_OF_GROUP; number += 1) {
      await tell(user, { kind: 'payment', url: running.url });
      await receiver.request(number);
    }
    for (const { child } of running.processes) await end(child, 'SIGKILL');
    isSilent = false;
    running = await startInProcess(env);
    await tell(user, { kind: 'payment', url: running.url, title: 'The next' });
    await until(async () => {
      const { results } = await deliveriesTo(user, id, { url: running.url });
      return results.some(({ state }: Json) => state === 'sent');
    }, 60_000);
    expect(receiver.received.at(-1)?.body).toContain('The next');
  }, 120_000);
});
