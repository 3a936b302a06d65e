import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningPlatform } from '../../../kit/arrangements.js';
import { startOnDatabase } from '../../../kit/database/own-database.js';
import { call, codeOf } from '../../../kit/platform.js';

/** Characters of new documents that an address may send at once, and of one of those sent here. */
const BURST = 1_000_000;
const LENGTH = 90_000;

/** More than the burst, and what a minute of sending would add to it. */
const MANY = Math.ceil((BURST + 60 * 20_000) / LENGTH);

/** A document of many combinations of conditions, each of which is planned when it occurs first. */
const NAMES = [...Array(8).keys()].map((index) => `c${index}`);
const CONDITIONS = `query (${NAMES.map((name) => `$${name}: Boolean!`).join(' ')}) {
  ${NAMES.map((name) => `${name}: __typename @include(if: $${name})`).join('\n')} } # ${'x'.repeat(LENGTH)}`;

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await startOnDatabase();
  await sendCombination(0);
}, 120_000);
afterAll(async () => {
  await platform.stop();
});

const sendCombination = (combination: number, headers: Readonly<Record<string, string>> = {}) => {
  const variables = Object.fromEntries(NAMES.map((name, bit) => [name, (combination & (1 << bit)) > 0]));
  return call('POST /graphql', { url: platform.url, body: { query: CONDITIONS, variables }, headers });
};

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

  it.each(['application/json', 'application/graphql-response+json'])(
    'count in each new combination of their conditions, and the refusal says when to come back: %s',
    async (accept) => {
      let reply = await sendCombination(0, { accept });
      for (let combination = 1; combination < 2 ** NAMES.length && reply.status === 200; combination++)
        reply = await sendCombination(combination, { accept });
      const { status, headers, body } = reply;
      expect([status, headers.get('retry-after'), codeOf(body)]).toEqual([429, '1', 'RATE_LIMITED']);
      expect(body.errors[0].message).toContain('`@include`');
    },
  );
});
