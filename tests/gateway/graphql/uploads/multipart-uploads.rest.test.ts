import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { FORM_TYPE, formOf, openChunks, send, type Part } from '../../../kit/files/bytes.js';
import { codeOf } from '../../../kit/platform.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

const UPLOAD = `mutation ($session: ID!, $file: Upload!) {
  uploadChunk(sessionId: $session, chunkIndex: 0, bytes: $file) { chunkIndex }
}`;
const TWICE = `mutation ($session: ID!, $file: Upload!) {
  a: uploadChunk(sessionId: $session, chunkIndex: 0, bytes: $file) { chunkIndex }
  b: uploadChunk(sessionId: $session, chunkIndex: 0, bytes: $file) { chunkIndex }
}`;
const MIB = 1024 * 1024;

let user: SignedIn;
let session: string;
beforeAll(async () => {
  user = await signIn();
  session = (await openChunks(user, { chunkSize: 3 * MIB })).split('/')[3] ?? '';
});

const operationWith = (query: string): Part[] => [
  { name: 'operations', bytes: JSON.stringify({ query, variables: { session, file: null, list: [] } }) },
  { name: 'map', bytes: '{"0": ["variables.file"]}' },
];
const file = (bytes: Buffer, name = '0'): Part => ({ name, fileName: 'chunk', bytes });
const preflight = { 'apollo-require-preflight': '1' };
const post = (
  parts: readonly Part[],
  headers: Record<string, string> = preflight,
  token: string | undefined = user.token,
) =>
  send('POST /graphql', formOf(parts), {
    ...(token !== '' && { token }),
    headers: { 'content-type': FORM_TYPE, ...headers },
  });

describe('an operation with a file', () => {
  it('is executed', async () => {
    const { body } = await post([...operationWith(UPLOAD), file(randomBytes(3 * MIB))]);
    expect(body).toEqual({ data: { uploadChunk: { chunkIndex: 0 } } });
  });

  it('uses its file once', async () => {
    const { body } = await post([...operationWith(TWICE), file(randomBytes(3 * MIB))]);
    expect([body.errors.length, codeOf(body)]).toEqual([1, 'BAD_REQUEST']);
  });

  it('is refused without the header that no foreign page can send unasked', async () => {
    const { status, body } = await post([...operationWith(UPLOAD), file(randomBytes(10))], {});
    expect([status, codeOf(body)]).toEqual([400, 'BAD_REQUEST']);
  });

  it('is refused to whoever is not signed in', async () => {
    const { status } = await post([...operationWith(UPLOAD), file(randomBytes(10))], preflight, '');
    expect(status).toBe(401);
  });

  it.each([
    [
      'two files',
      (parts: Part[]) => [...parts, file(randomBytes(10)), file(randomBytes(10), '1')],
      '{"0": ["variables.file"], "1": ["variables.file"]}',
      413,
    ],
    ['no file', (parts: Part[]) => parts, '{"0": ["variables.file"]}', 400],
    ['a map that is none', (parts: Part[]) => [...parts, file(randomBytes(10))], '[', 400],
    ['a file before its map', (parts: Part[]) => [file(randomBytes(10)), ...parts], '{"0": ["variables.file"]}', 400],
    ...[
      ['variables.other'],
      ['query'],
      ['variables.__proto__'],
      ['variables.session.0'],
      ['variables.list.length'],
      ['variables.file', 'variables.file.length'],
      [''],
    ].map(
      (places) =>
        [
          `the places ${places.join(', ')}`,
          (parts: Part[]) => [...parts, file(randomBytes(10))],
          JSON.stringify({ 0: places }),
          400,
        ] as const,
    ),
  ])('is refused with %s', async (_, complete, map, status) => {
    const [operations] = operationWith(UPLOAD);
    const reply = await post(complete([...(operations ? [operations] : []), { name: 'map', bytes: map }]));
    expect(reply.status).toBe(status);
  });

  it('is refused when the form breaks off', async () => {
    const form = formOf([...operationWith(UPLOAD), file(randomBytes(MIB))], false);
    const headers = { 'content-type': FORM_TYPE, ...preflight };
    const { body } = await send('POST /graphql', form, { token: user.token, headers });
    expect(codeOf(body)).toBe('BAD_REQUEST');
  });

  it.each(['"text"', '7', '{}'])('is refused with %s in the place of the file', async (value) => {
    const body = `{"query": ${JSON.stringify(UPLOAD)}, "variables": {"session": "${session}", "file": ${value}}}`;
    const headers = { 'content-type': 'application/json' };
    const reply = await send('POST /graphql', Buffer.from(body), { token: user.token, headers });
    expect(codeOf(reply.body)).toBe('BAD_REQUEST');
  });
});
