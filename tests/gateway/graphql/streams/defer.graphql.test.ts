import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, fetchExchange } from '@urql/core';
import { createHash, randomUUID } from 'node:crypto';
import { call, codeOf, graphql, platform, type Json, type Reply } from '../../../kit/platform.js';
import { signInWithNetwork, type SignedIn } from '../../../kit/accounts/wallet.js';

const PARTS = 'multipart/mixed;deferSpec=20220824, application/json';
const LATER = '{ username tenant { counts { groups } } }';
const QUERY = `{ me { id ... @defer(label: "rest") ${LATER} } }`;

let user: SignedIn;
beforeAll(async () => {
  user = await signInWithNetwork();
});

const post = (body: Json, accept = PARTS) => call('POST /graphql', { body, token: user.token, headers: { accept } });

/** Returns the parts of a multipart answer. */
function partsOf({ text }: Reply): Json[] {
  const [before, ...parts] = text.split('\r\n--graphql');
  expect([before, parts.pop()]).toEqual(['', '--\r\n']);
  return parts.map((part) => {
    const [headers, json = ''] = part.split('\r\n\r\n');
    expect(headers).toBe('\r\ncontent-type: application/json');
    return JSON.parse(json);
  });
}

describe('an operation with @defer', () => {
  it('is answered in parts to a client that accepts them', async () => {
    const reply = await post({ query: QUERY });
    expect(reply.headers.get('content-type')).toBe('multipart/mixed;boundary="graphql";deferSpec=20220824');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const { data } = await graphql(`{ me ${LATER} }`, { token: user.token });
    expect(partsOf(reply)).toEqual([
      { data: { me: { id: user.userId } }, hasNext: true },
      { incremental: [{ data: data.me, path: ['me'], label: 'rest' }], hasNext: false },
    ]);
  });

  it.each(['application/json', '*/*', 'multipart/mixed;incrementalSpec=v0.2, application/json', 'text/event-stream'])(
    'has one answer for a client that accepts %s',
    async (accept) => {
      const plain = await post({ query: `{ me { id ... ${LATER} } }` }, accept);
      for (let i = 0; i < 2; i++) expect((await post({ query: QUERY }, accept)).text).toBe(plain.text);
    },
  );

  it('is put together by urql', async () => {
    const client = new Client({
      url: `${platform().url}/graphql`,
      exchanges: [fetchExchange],
      preferGetMethod: false,
      fetchOptions: { headers: { authorization: `Token ${user.token}` } },
    });
    const results: unknown[] = [];
    await new Promise<void>((resolve) => {
      client.query(QUERY, {}).subscribe(({ data, hasNext }) => {
        results.push(structuredClone(data));
        if (!hasNext) resolve();
      });
    });
    const { data } = await graphql(`{ me { id ... ${LATER} } }`, { token: user.token });
    expect(results).toEqual([{ me: { id: user.userId } }, data]);
  });

  it('can be named by its hash', async () => {
    const query = `${QUERY} # ${randomUUID()}`;
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } };
    expect(codeOf((await post({ extensions })).body)).toBe('PERSISTED_QUERY_NOT_FOUND');
    for (const body of [{ query, extensions }, { extensions }]) expect(partsOf(await post(body))).toHaveLength(2);
  });

  it('shows the error of a fragment with its code, in its part', async () => {
    const [first, later] = partsOf(await post({ query: '{ __typename ... @defer { creditBalances { count } } }' }));
    expect(first).toEqual({ data: { __typename: 'Query' }, hasNext: true });
    expect(later.incremental).toEqual([
      {
        data: null,
        path: [],
        errors: [{ message: expect.any(String), path: ['creditBalances'], extensions: { code: 'FORBIDDEN' } }],
      },
    ]);
  });

  it('is refused as one answer for wrong variables, and above the limits', async () => {
    const query = `query ($of: String!) { user(substrateAddress: $of) { ... @defer { id } } }`;
    const refused = await post({ query, variables: {} });
    expect([refused.status, codeOf(refused.body)]).toEqual([400, 'BAD_REQUEST']);
    const many = `{ me { ${Array.from({ length: 21 }, () => '... @defer { id }').join(' ')} } }`;
    expect((await post({ query: many })).text).toContain('its directives is 21, the maximum is 20');
  });

  it('is refused at the fields of a mutation and in a subscription', async () => {
    for (const query of [
      'mutation { ... @defer { revokeToken(id: "x") } }',
      'subscription { creditBalanceChanged { ... @defer { balance } } }',
    ]) {
      const refused = await post({ query });
      expect([refused.status, codeOf(refused.body)]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    }
  });

  it('is in the schema of the API', async () => {
    const { data } = await graphql('{ schema: __schema { directives { name locations args { name } } } }');
    expect(data.schema.directives).toContainEqual({
      name: 'defer',
      locations: ['FRAGMENT_SPREAD', 'INLINE_FRAGMENT'],
      args: [{ name: 'label' }, { name: 'if' }],
    });
  });
});
