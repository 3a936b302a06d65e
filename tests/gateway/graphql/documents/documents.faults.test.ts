import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningPlatform } from '../../../kit/arrangements.js';
import { startOnDatabase } from '../../../kit/database/own-database.js';
import { call } from '../../../kit/platform.js';

/** Characters of new documents that an address may send at once, and of one of those sent here. */
const BURST = 1_000_000;
const LENGTH = 90_000;

/** More than the burst, and what a minute of sending would add to it. */
const MANY = Math.ceil((BURST + 60 * 20_000) / LENGTH);

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startOnDatabase();
}, 120_000);
afterAll(async () => {
  await platform.stop();
});

describe('documents that were never seen before', () => {
  it('count against the allowance of their client also where they are refused', async () => {
    const send = async (query: string) => (await call('POST /graphql', { url: platform.url, body: { query } })).status;
    const known = '{ __typename }';
    await send(known);
    const statuses: number[] = [];
    for (let i = 0; i < MANY && statuses.at(-1) !== 429; i++)
      statuses.push(await send(`${i % 2 ? '{ me {' : '{ nothing }'} # ${i} ${'x'.repeat(LENGTH)}`));
    expect({ first: statuses.slice(0, 2), last: statuses.at(-1), known: await send(known) }).toEqual({
      first: [400, 400],
      last: 429,
      known: 200,
    });
  });
});
