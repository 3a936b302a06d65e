import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { readOperationWithFile } from '../../../../gateway/graphql/uploads.js';
import { errorCode, STATUS_BY_CODE } from '../../../../kernel/errors.js';
import { ByteSource } from '../../../../kernel/http/bytes.js';
import { ExactNumber } from '../../../../kernel/scalars/exact-json.js';
import { begin, FORM_TYPE, formOf, replyTo, send } from '../../../kit/files/bytes.js';
import { until } from '../../../kit/watch.js';

let app: FastifyInstance;
let url: string;
/** Of the operation that was read last. */
let variables: object | undefined;
beforeEach(() => {
  variables = undefined;
});
beforeAll(async () => {
  app = fastify({ logger: false });
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
  app.post('/graphql', async (request, reply) => {
    const { operation } = await readOperationWithFile(request, reply);
    ({ variables } = operation as { variables: object });
    return reply.send(await withContents(variables));
  });
  app.setErrorHandler((error, _request, reply) => reply.code(STATUS_BY_CODE[errorCode(error) ?? 'INTERNAL']).send());
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

/** The value with the text of each file in its place. */
async function withContents(value: unknown): Promise<unknown> {
  if (value instanceof ByteSource) {
    const chunks: Buffer[] = [];
    await value.read((chunk) => void chunks.push(chunk));
    return `file: ${Buffer.concat(chunks).toString()}`;
  }
  if (Array.isArray(value)) return Promise.all(value.map(withContents));
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const entries = Object.entries(value).map(async ([name, item]) => [name, await withContents(item)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

const partsWith = (given: string, bytes: Buffer, path = 'variables.file') => [
  { name: 'operations', bytes: `{"query":"{ x }","variables":${given}}` },
  { name: 'map', bytes: JSON.stringify({ 0: [path] }) },
  { name: '0', fileName: 'x', bytes },
];

describe('a file of a GraphQL form', () => {
  it.each([
    ['variables.file', { file: null }, { file: 'file: x' }],
    ['variables.files.1', { files: [7, null] }, { files: [7, 'file: x'] }],
    [
      'variables.input.parts.0.bytes',
      { input: { parts: [{ bytes: null }] } },
      { input: { parts: [{ bytes: 'file: x' }] } },
    ],
  ])('becomes the value at %s', async (path, given, expected) => {
    const form = formOf(partsWith(JSON.stringify(given), Buffer.from('x'), path));
    const { body } = await send('POST /graphql', form, { url, headers: { 'content-type': FORM_TYPE } });
    expect(body).toEqual(expected);
  });

  it('is read while it arrives, beside numbers with all their digits', async () => {
    const form = formOf(partsWith('{"file":null,"size":9007199254740993}', Buffer.from('xy')));
    const begun = begin('POST /graphql', { url, headers: { 'content-type': FORM_TYPE } });
    const reply = replyTo(begun);
    const end = form.lastIndexOf('y');
    begun.write(form.subarray(0, end));
    await until(async () => variables !== undefined);
    begun.end(form.subarray(end));
    expect((await reply).body).toEqual({ file: 'file: xy', size: '9007199254740993' });
  });

  it.each([
    [0, 200],
    [1, 413],
  ])('has at most 64 MiB: %i bytes more are %i', async (more, status) => {
    const form = formOf(partsWith('{"file":null}', Buffer.alloc(64 * 1024 * 1024 + more)));
    const reply = await send('POST /graphql', form, { url, headers: { 'content-type': FORM_TYPE } });
    expect(reply.status).toBe(status);
  });
});
