import { composeServices } from '@apollo/composition';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { parseExactly } from '../../../kernel/scalars/exact-json.js';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import { RemoteSubgraphClient } from '../../../kernel/subgraph/remote/remote-subgraph.js';
import type { Json } from '../../kit/platform.js';

const TYPES = `
  scalar Long
  type Query { book(id: Long, weight: Float): String }
  type Subscription { added: String }
`;
const CONTEXT = { viewer: ANONYMOUS, requestId: 'tests' } as const;
const DIGITS = '9007199254740993';

let server: Server;
let client: RemoteSubgraphClient;
let engine: Engine;
/** The bodies that the subgraph got, and how it answers. */
let bodies: string[];
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { supergraphSdl = '' } = composeServices([{ name: 'books', url, typeDefs: parse(TYPES) }]);
  client = new RemoteSubgraphClient({ name: 'books', url, headers: () => ({}) });
  engine = new Engine(readSupergraph(supergraphSdl), new Map([['books', client]]));
});
beforeEach(() => {
  bodies = [];
  answer = (response) => response.end('{"data":{"book":"a"}}');
});
afterAll(async () => {
  await client.close();
  server.close();
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  bodies.push(await text(request));
  answer(response);
}

const execute = async (query: string, variables = '{}'): Promise<Json> =>
  engine.execute(engine.plan(parse(query)), parseExactly(variables) as Json, CONTEXT);

async function firstEvent(query: string): Promise<Json> {
  const { signal } = new AbortController();
  for await (const event of engine.subscribe(engine.plan(parse(query)), {}, CONTEXT, { signal })) return event.result;
  return undefined;
}

describe('a number beyond 2^53', () => {
  it('reaches a scalar of a subgraph with all its digits, as the number that it is', async () => {
    const { data } = await execute('query ($id: Long) { book(id: $id) }', `{"id":${DIGITS}}`);
    expect(data).toEqual({ book: 'a' });
    expect(bodies[0]).toContain(`"id":${DIGITS}}`);
  });

  it('is a Float, if it is sent as one', async () => {
    await execute('query ($weight: Float) { book(weight: $weight) }', '{"weight":100000000000000000000}');
    await execute('{ book(weight: 100000000000000000000) }');
    expect(bodies).toEqual([
      expect.stringContaining('"weight":100000000000000000000}'),
      expect.stringContaining('(weight:100000000000000000000)'),
    ]);
  });

  it('is refused as a literal of another scalar, because the planner would round it', () => {
    const refusal = { message: expect.stringContaining('in a variable'), extensions: { code: 'BAD_REQUEST' } };
    expect(() => engine.plan(parse(`{ book(id: ${DIGITS}) }`))).toThrow(expect.objectContaining(refusal));
    expect(() => engine.plan(parse(`{ book(id: [{ at: ${DIGITS} }]) }`))).toThrow(expect.objectContaining(refusal));
    expect(() => engine.plan(parse('{ book(id: 9007199254740991) }'))).not.toThrow();
  });

  it('is refused like a fraction with more digits than JavaScript has, and a number without an end', () => {
    for (const literal of ['id: 0.12345678901234567891', 'id: 1e400', 'weight: 1e400', 'weight: -1e400'])
      expect(() => engine.plan(parse(`{ book(${literal}) }`))).toThrow(
        expect.objectContaining({ extensions: { code: 'BAD_REQUEST' } }),
      );
    for (const literal of ['id: 0.1', 'id: 1.50', 'id: 1e3', 'weight: 0.12345678901234567891'])
      expect(() => engine.plan(parse(`{ book(${literal}) }`))).not.toThrow();
  });
});

describe('null in place of what a result lacks', () => {
  it('is no error', async () => {
    answer = (response) => response.end('{"data":{"book":"a"},"errors":null}');
    expect(await execute('{ book }')).toEqual({ data: { book: 'a' } });
  });

  it('is no path of an error', async () => {
    answer = (response) =>
      response.end('{"data":null,"errors":[{"message":"Cannot query field.","path":null,"extensions":null}]}');
    const { data, errors } = await execute('{ book }');
    expect([data, errors]).toMatchObject([{ book: null }, [{ message: 'Cannot query field.' }]]);
  });
});

describe('a subscription by server-sent events', () => {
  it.each([400, 200])('that the subgraph refuses with %i and a result has its errors', async (status) => {
    answer = (response) =>
      response
        .writeHead(status, { 'content-type': 'application/graphql-response+json; charset=utf-8' })
        .end('{"errors":[{"message":"sign in","extensions":{"code":"UNAUTHENTICATED"}}]}');
    const { errors } = await firstEvent('subscription { added }');
    expect(errors).toMatchObject([{ message: 'sign in', extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it('that selects nothing is refused, and never reaches the subgraph', async () => {
    const { errors } = await firstEvent('subscription { added @skip(if: true) }');
    expect([errors, bodies]).toMatchObject([[{ extensions: { code: 'BAD_REQUEST' } }], []]);
  });
});
