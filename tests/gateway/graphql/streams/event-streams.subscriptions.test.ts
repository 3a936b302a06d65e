import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestStream } from '../../../kit/event-stream.js';
import { graphql, platform, type Json } from '../../../kit/platform.js';
import { grant, signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

const EVENTS = 'text/event-stream';
const BALANCE = 'subscription { creditBalanceChanged { balance } }';
const balance = (credits: string): string => `{"data":{"creditBalanceChanged":{"balance":"${credits}"}}}`;

let user: SignedIn;
let streams: TestStream[];
beforeEach(async () => {
  user = await signIn();
  streams = [];
});
afterEach(() => {
  for (const stream of streams) stream.close();
});

async function open(query: string, { accept = EVENTS } = {}): Promise<TestStream> {
  const stream = await TestStream.open(platform().url, accept, { query, token: user.token });
  streams.push(stream);
  return stream;
}

describe('a subscription as one answer', () => {
  it('gets the balance and its changes as server-sent events', async () => {
    const [first, second] = [await open(BALANCE), await open(BALANCE)];
    for (const stream of [first, second]) await stream.has(balance('0'));
    await grant(user, '1.5');
    for (const stream of [first, second]) await stream.has(balance('1.5'));
    expect(first.text).toBe(`:\n\nevent: next\ndata: ${balance('0')}\n\nevent: next\ndata: ${balance('1.5')}\n\n`);
    expect(second.text).toBe(first.text);
    expect(first.headers.get('cache-control')).toBe('no-store');
  });

  it('gets them as parts', async () => {
    const stream = await open(BALANCE, { accept: 'multipart/mixed;subscriptionSpec="1.0", application/json' });
    await stream.has(`{"payload":${balance('0')}}`);
    await grant(user, '1');
    await stream.has(`{"payload":${balance('1')}}`);
  });

  it('ends without completion when its token is revoked', async () => {
    const stream = await open(BALANCE);
    await stream.has(balance('0'));
    const { data } = await graphql('{ tokens { id isCurrent } }', { token: user.token });
    const { id } = data.tokens.find(({ isCurrent }: Json) => isCurrent);
    await graphql('mutation ($id: String!) { revokeToken(id: $id) }', { token: user.token, variables: { id } });
    await stream.end();
    expect(stream.text).not.toContain('complete');
  });

  it('is refused by the subgraph without a token, and then complete', async () => {
    const stream = await TestStream.open(platform().url, EVENTS, { query: BALANCE });
    await stream.end();
    expect(stream.text).toContain('"code":"UNAUTHENTICATED"');
    expect(stream.text).toMatch(/event: complete\ndata:\n\n$/);
  });

  it('is refused above fifty of a user, until one ends', async () => {
    for (let count = 0; count < 50; count++) await open(BALANCE);
    const refused = await open(BALANCE);
    await refused.end();
    expect([refused.status, JSON.parse(refused.text).errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    expect((await open('{ __typename }')).status).toBe(200);
  });
});

describe('a mutation as server-sent events', () => {
  it('is executed once by POST', async () => {
    const stream = await open('mutation { revokeToken(id: "unknown") }');
    await stream.end();
    expect(stream.text.split('event: next')).toHaveLength(2);
  });

  it('is refused by GET', async () => {
    const query = encodeURIComponent('mutation { revokeToken(id: "unknown") }');
    const response = await fetch(`${platform().url}/graphql?query=${query}`, {
      headers: { accept: EVENTS, authorization: `Token ${user.token}` },
    });
    expect(response.status).toBe(400);
  });
});
