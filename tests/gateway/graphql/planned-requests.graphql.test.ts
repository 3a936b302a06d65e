import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, type Json } from '../../kit/platform.js';
import { signIn } from '../../kit/accounts/wallet.js';
import { TestSocket } from '../../kit/socket.js';

let token: string;
beforeAll(async () => {
  ({ token } = await signIn());
});

/** Sends a request three times. The operation is planned by the first; the others find it. */
async function sendThrice(body: Json, headers: Record<string, string> = {}): Promise<Json[]> {
  const answers: Json[] = [];
  for (let i = 0; i < 3; i++) {
    const reply = await call('POST /graphql', { body, token, headers });
    const kept = [...reply.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    answers.push({ status: reply.status, text: reply.text, headers: Object.fromEntries(kept) });
  }
  return answers;
}

describe('a request whose operation is planned', () => {
  it.each<[string, Json, Record<string, string>]>([
    ['with data', { query: '{ me { id } }' }, {}],
    ['with null for variables and name', { query: '{ me { id } }', variables: null, operationName: null }, {}],
    ['with an error in part of it', { query: '{ vmFlavors { name } creditBalances { count } }' }, {}],
    [
      'with wrong variables',
      { query: 'query ($of: String!) { user(substrateAddress: $of) { id } }', variables: {} },
      {},
    ],
    ['with variables that are no object', { query: '{ me { id } }', variables: 'x' }, {}],
    ['with a name', { query: 'query A { me { id } } query B { me { username } }', operationName: 'A' }, {}],
    ['with an unknown name', { query: 'query A { me { id } } query B { me { username } }', operationName: 'C' }, {}],
    ['with an empty name', { query: '{ me { id } }', operationName: '' }, {}],
    ['with a persisted query', { query: '{ me { id } }', extensions: { persistedQuery: { version: 1 } } }, {}],
    ['of a subscription', { query: 'subscription { creditBalanceChanged { balance } }' }, {}],
    ['of the schema', { query: '{ __schema { queryType { name } } me { id } }' }, {}],
    ['for any type', { query: '{ me { id } }' }, { accept: '*/*' }],
    ['for GraphQL', { query: '{ me { id } }' }, { accept: 'application/graphql-response+json' }],
    ['for HTML', { query: '{ me { id } }' }, { accept: 'text/html' }],
    ['as a text', { query: '{ me { id } }' }, { 'content-type': 'text/plain' }],
  ])('is answered as before: %s', async (_, body, headers) => {
    const [first, ...others] = await sendThrice({ ...body, query: `${body.query} # ${randomUUID()}` }, headers);
    expect(others).toEqual([first, first]);
  });
});

it.each(['variables', 'extensions'])('a number as `%s` is refused, however long it is', async (name) => {
  for (const number of ['7', '9007199254740993', '0.12345678901234567891', '-0']) {
    const rawBody = `{"query":"{ __typename }","${name}":${number}}`;
    const { status, body } = await call('POST /graphql', { rawBody });
    expect({ status, errors: body.errors }).toEqual({ status: 400, errors: [expect.anything()] });
    const socket = await TestSocket.open(token);
    socket.send(`{"id":"1","type":"subscribe","payload":${rawBody}}`);
    expect(await socket.closing()).toMatchObject({ code: 4400 });
  }
});
