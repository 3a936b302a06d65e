import { describe, expect, it } from '@jest/globals';
import { call, codeOf, graphql } from '../../kit/platform.js';
import { signIn } from '../../kit/accounts/wallet.js';

describe('POST /graphql', () => {
  it.each([
    ['a batch', [{ query: '{ __typename }' }, { query: '{ __typename }' }]],
    ['an empty batch', []],
    ['no query', {}],
    [
      'a variable with two underscores',
      { query: 'query ($__proto__: Boolean) { __typename @include(if: $__proto__) }' },
    ],
    ['an alias with two underscores', { query: '{ latestTokenPrice { __typename: priceUsd } }' }],
    ['an alias with the reserved prefix', { query: '{ latestTokenPrice { archipelago_alias_x: priceUsd } }' }],
    ['a query that is not a string', { query: 7 }],
    ['a syntax error', { query: '{ me {' }],
    [
      'a lone surrogate in a variable',
      { query: 'query ($t: String!) { verifyToken(token: $t) { valid } }', variables: { t: '\ud800' } },
    ],
    ['a lone surrogate in the document', { query: '{ verifyToken(token: "\\ud800") { valid } }' }],
    ['an unknown field', { query: '{ nothing }' }],
    ['an unknown operation', { query: 'query A { __typename }', operationName: 'B' }],
    ['two operations and no name', { query: 'query A { __typename } query B { __typename }' }],
    [
      'a variable of another type',
      { query: 'query ($n: Int) { creditBalances(page: $n) { count } }', variables: { n: 'x' } },
    ],
    ['variables that are not an object', { query: '{ __typename }', variables: 'x' }],
    ['a missing variable', { query: 'query ($of: String!) { user(substrateAddress: $of) { id } }' }],
  ])('refuses %s with 400 and errors', async (_, body) => {
    const reply = await call('POST /graphql', { body });
    expect({ status: reply.status, errors: reply.body.errors }).toEqual({ status: 400, errors: expect.any(Array) });
  });

  it('refuses persisted queries of an unknown version', async () => {
    const persistedQuery = { version: 2, sha256Hash: 'x' };
    const { body } = await call('POST /graphql', { body: { query: '{ __typename }', extensions: { persistedQuery } } });
    expect(codeOf(body)).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
  });

  it.each(['constructor', 'toString'])('serves a variable named %s', async (name) => {
    const { token, userId } = await signIn();
    const query = `query ($${name}: Boolean = true) { me { id @include(if: $${name}) } }`;
    expect(await graphql(query, { token })).toEqual({ data: { me: { id: userId } } });
  });

  it('refuses a subscription over POST with a 4xx status', async () => {
    const { status } = await call('POST /graphql', {
      body: { query: 'subscription { topologyChanged { revision } }' },
    });
    expect(Math.floor(status / 100)).toBe(4);
  });

  it('refuses malformed JSON with 400 and errors', async () => {
    const { status, body } = await call('POST /graphql', { rawBody: '{"query":' });
    expect({ status, errors: body.errors }).toEqual({ status: 400, errors: expect.any(Array) });
  });

  it('exposes no stack trace or subgraph name', async () => {
    const { text } = await call('POST /graphql', { body: { query: '{ me { id } }' } });
    expect(text).not.toMatch(/stacktrace|serviceName|\.[jt]s:\d+/);
  });
});

describe('POST /graphql with an Accept header', () => {
  it.each([
    'text/html',
    'text/plain',
    'application/graphql+json',
    'multipart/mixed;deferSpec=20220824',
    'application/json;charset=latin1',
    'application/json;q=0, application/graphql-response+json;q=0, */*',
    'nothing',
  ])('that has no answer is refused with 406, and the mutation does nothing: %s', async (accept) => {
    const { token } = await signIn();
    const body = { query: 'mutation { provisionTenant { id } }' };
    const reply = await call('POST /graphql', { body, token, headers: { accept } });
    const { data } = await graphql('{ me { tenant { id } } }', { token });
    expect([reply.status, codeOf(reply.body), data]).toEqual([406, 'BAD_REQUEST', { me: { tenant: null } }]);
  });

  it.each([
    '',
    'application/*;q=0.1, text/html',
    'text/html;level="1, 2", */*',
    'application/json;charset=UTF-8',
    'APPLICATION/GraphQL-Response+JSON',
    'application/json;q=0, */*',
  ])('that has an answer gets it: %s', async (accept) => {
    const reply = await call('POST /graphql', { body: { query: '{ __typename }' }, headers: { accept } });
    expect([reply.status, reply.body]).toEqual([200, { data: { __typename: 'Query' } }]);
  });
});

const get = (query: string) =>
  call(`GET /graphql?query=${encodeURIComponent(query)}`, { headers: { 'apollo-require-preflight': '1' } });

describe('POST /graphql with another content type', () => {
  it('is refused with 400, because another site could send it without a CORS preflight', async () => {
    const headers = { 'content-type': 'text/plain' };
    const { status } = await call('POST /graphql', { body: { query: '{ __typename }' }, headers });
    expect(status).toBe(400);
  });
});

describe('GET /graphql', () => {
  it('does not serve the Apollo landing page', async () => {
    const { text } = await call('GET /graphql?query=%7B__typename%7D', { headers: { accept: 'text/html' } });
    expect(text).not.toMatch(/apollographql\.com/);
  });

  it('serves a query', async () => {
    const { status, body } = await get('{ __typename }');
    expect({ status, body }).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
  });

  it('refuses a mutation with 405', async () => {
    const { status } = await get('mutation { provisionTenant { id } }');
    expect(status).toBe(405);
  });
});
