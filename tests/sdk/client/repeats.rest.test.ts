import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Archipelago, type PlatformError } from '../../../sdk/src/index.js';
import { sayExpected } from '../../kit/expected-lines.js';
import { HAS_PYTHON, python } from '../../kit/programs/python.js';

/** Documents, and how often each is sent at most to a platform that answers with 503. */
const DOCUMENTS: readonly (readonly [document: string, attempts: number])[] = [
  ['{ me { id } }', 3],
  ['query A { mutation }', 3],
  ['query A {\n  mutation\n}', 3],
  ['# mutation {\n{ me { id } }', 3],
  ['query mutation($mutation: In = { mutation: [mutation] }) @mutation(if: true) { mutation }', 3],
  ['query ($a: String = "{") { a(b: "\\"}} mutation {", c: """\\""" }} mutation {""") }', 3],
  ['fragment mutation on User { mutation } query { me { ...mutation } }', 3],
  ['mutation { a }', 1],
  ['\n\t, mutation A { a }', 1],
  ['# grant\nmutation { a }', 1],
  ['fragment F on User { id } mutation { a { ...F } }', 1],
  ['query A($b: In = { c: "}" }) { b } mutation C { a }', 1],
  ['query A { b(c: """ { """) } # }\nmutation C { a }', 1],
];

/** Counts requests by their document. With `isCut` the first answer ends early; else all are 503. */
const counts = new Map<string, number>();
let isCut = false;
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { query } = JSON.parse(body);
    counts.set(query, (counts.get(query) ?? 0) + 1);
    response.setHeader('content-type', 'application/json');
    if (!isCut) return response.writeHead(503).end('{"error":"later"}');
    response.writeHead(200).write('{"data":{"me":');
    if (counts.get(query) === 1) return setImmediate(() => response.destroy());
    return response.end('{"id":7}}}');
  });
});
let url: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => counts.clear());
afterAll(() => void server.close());

/** Sends each document with a client. Returns its data, or the sentence of the error. */
type Send = (documents: readonly string[], isRepeatable?: boolean) => Promise<unknown[]>;

const CLIENTS: readonly (readonly [name: string, send: Send])[] = [
  [
    'TypeScript',
    async (documents, isRepeatable) => {
      const client = new Archipelago({ url, attempts: 3, wait: async () => undefined });
      const options = isRepeatable === undefined ? {} : { isRepeatable };
      const results = documents.map((one) =>
        client.graphql(one, undefined, options).catch(({ message }: PlatformError) => message),
      );
      return Promise.all(results);
    },
  ],
  [
    'Python',
    async (documents, isRepeatable) => {
      const statements = `
result = []
for document in given["documents"]:
    try: result.append(client.graphql(document, None, given["isRepeatable"]))
    except PlatformError as error: result.append(str(error))`;
      return python(statements, { documents, isRepeatable: isRepeatable ?? null }, url);
    },
  ],
];

const INSTALLED = CLIENTS.filter(([name]) => name !== 'Python' || HAS_PYTHON);

describe.each(INSTALLED)('an operation of the client in %s', (_, send) => {
  it('is sent again to a platform that is away only if it is a query, however it is written', async () => {
    isCut = false;
    await send(DOCUMENTS.map(([document]) => document));
    expect(counts).toEqual(new Map(DOCUMENTS));
  });

  it('with an idempotency key is sent again if the caller says so', async () => {
    isCut = true;
    expect(await send(['mutation { me { id } }'], true)).toEqual([{ me: { id: 7 } }]);
  });

  it('whose answer is cut off is sent again only if it is a query', async () => {
    isCut = true;
    expect(await send(['{ me { id } }', 'mutation { me { id } }'])).toEqual([
      { me: { id: 7 } },
      'The answer was cut off: the request may have had its effect.',
    ]);
  });
});

if (!HAS_PYTHON)
  it('of the client in Python is not tried without python3', () => {
    sayExpected('python3 is not installed: the Python client is not tried');
  });
