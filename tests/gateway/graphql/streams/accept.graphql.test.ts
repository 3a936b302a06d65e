import { describe, expect, it } from '@jest/globals';
import { call, codeOf } from '../../../kit/platform.js';
import { TestSocket } from '../../../kit/socket.js';
import { signIn } from '../../../kit/accounts/wallet.js';

const ACCEPTED = [
  'application/json',
  'text/event-stream',
  'multipart/mixed;deferSpec=20220824, application/json',
  'multipart/mixed;subscriptionSpec="1.0", application/json',
  'multipart/mixed',
  'multipart/mixed;deferSpec=20220824',
  'multipart/mixed;subscriptionSpec="1.0"',
];
const DEFERRED = '{ __typename ... @defer { __schema { queryType { name } } } }';

const ask = (query: string, accept: string) => call('POST /graphql', { body: { query }, headers: { accept } });

describe('a document that is refused', () => {
  it.each([
    ['{', 'GRAPHQL_PARSE_FAILED'],
    ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      '{ __typename ... @defer(label: "a") { __typename } ... @defer(label: "a") { __typename } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [`{ ${'a: __typename '.repeat(3)} ${'a'.repeat(129)}: __typename }`, 'GRAPHQL_VALIDATION_FAILED'],
    [`{ ${'__typename '.repeat(2_000)} }`, 'GRAPHQL_PARSE_FAILED'],
  ])('has one answer, whatever the client accepts: %.40s', async (query, code) => {
    const replies = await Promise.all(ACCEPTED.map((accept) => ask(query, accept)));
    expect(replies.map(({ status, body }) => [status, codeOf(body)])).toEqual(ACCEPTED.map(() => [400, code]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    const socket = await TestSocket.open((await signIn()).token);
    socket.subscribe('1', query);
    expect(codeOf({ errors: await socket.failure('1') })).toBe(code);
    socket.close();
  });
});

describe('a media type of quality 0', () => {
  it.each(['text/event-stream;q=0, application/json', 'multipart/mixed;deferSpec=20220824; Q=0.00, application/json'])(
    'is not accepted: %s',
    async (accept) => {
      const { headers } = await ask(DEFERRED, accept);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
    },
  );

  it.each([
    ['text/event-stream, application/json;q=0, */*; q=0', 'text/event-stream'],
    ['multipart/mixed;deferSpec=20220824;q=0.1, application/json', 'multipart/mixed'],
  ])('leaves the others: %s', async (accept, type) => {
    expect((await ask(DEFERRED, accept)).headers.get('content-type')).toContain(type);
  });
});
