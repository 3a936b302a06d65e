import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { readOperationWithFile } from '../../../../gateway/graphql/uploads.js';
import { ByteSource } from '../../../../kernel/http/bytes.js';
import { FORM_TYPE, formOf, send } from '../../../kit/files/bytes.js';

let app: FastifyInstance;
let url: string;
beforeAll(async () => {
  app = fastify({ logger: false });
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined));
  app.post('/graphql', async (request, reply) => {
    const { variables } = (await readOperationWithFile(request, reply)) as { variables: object };
    return reply.send(await withContents(variables));
  });
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
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([name, item]) => [name, await withContents(item)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

describe('a file of a GraphQL form', () => {
  it.each([
    ['variables.file', { file: null }, { file: 'file: x' }],
    ['variables.files.1', { files: [7, null] }, { files: [7, 'file: x'] }],
    [
      'variables.input.parts.0.bytes',
      { input: { parts: [{ bytes: null }] } },
      { input: { parts: [{ bytes: 'file: x' }] } },
    ],
  ])('becomes the value at %s', async (path, variables, expected) => {
    const form = formOf([
      { name: 'operations', bytes: JSON.stringify({ query: '{ x }', variables }) },
      { name: 'map', bytes: JSON.stringify({ 0: [path] }) },
      { name: '0', fileName: 'x', bytes: Buffer.from('x') },
    ]);
    const { body } = await send('POST /graphql', form, { url, headers: { 'content-type': FORM_TYPE } });
    expect(body).toEqual(expected);
  });
});
