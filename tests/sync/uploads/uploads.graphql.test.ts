import { beforeAll, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { randomBytes } from 'node:crypto';
import { manifestFor } from '../../kit/files/bytes.js';
import { codeOf, graphql, platform, type Json } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const OPEN = `mutation ($manifest: ManifestInput!, $count: Int64!, $chunk: Int64!, $size: Int64!) {
  openUploadSession(manifest: $manifest, chunkCount: $count, chunkSize: $chunk, ciphertextSize: $size) {
    sessionId state totalChunks chunksReceived ciphertextHash
  }
}`;
const CHUNK = `mutation ($id: ID!, $index: Int64!, $bytes: Upload!, $hash: String) {
  uploadChunk(sessionId: $id, chunkIndex: $index, bytes: $bytes, blake3: $hash) { chunkIndex }
}`;
const STATUS = 'query ($id: ID!) { uploadSession(sessionId: $id) { state chunksReceived } }';
const FINALIZE = 'mutation ($id: ID!) { finalizeUpload(sessionId: $id) { uploadId revisionId createdAt } }';
const DELETE = 'mutation ($id: ID!) { deleteUploadSession(sessionId: $id) { deleted } }';

let user: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  user = await signIn();
  other = await signIn();
});

/** The fields of a document in GraphQL's words. */
function inWords(manifest: Json): Json {
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(manifest).map(([name, value]) => [camel(name), value]));
}

async function open(bytes: Buffer): Promise<Json> {
  const manifest = { ...inWords(manifestFor(user, randomBytes(8).toString('hex'), blake3(bytes))) };
  const variables = { manifest, count: Math.ceil(bytes.length / 1024), chunk: 1024, size: bytes.length };
  return (await graphql(OPEN, { token: user.token, variables })).data.openUploadSession;
}

/** Sends a chunk as the GraphQL multipart request specification has it. */
async function send(id: string, index: number, bytes: Buffer, token = user.token): Promise<Json> {
  const form = new FormData();
  form.append('operations', JSON.stringify({ query: CHUNK, variables: { id, index, bytes: null } }));
  form.append('map', JSON.stringify({ 0: ['variables.bytes'] }));
  form.append('0', new Blob([new Uint8Array(bytes)]), 'chunk');
  const headers = { authorization: `Token ${token}`, 'apollo-require-preflight': 'true' };
  const response = await fetch(`${platform().url}/graphql`, { method: 'POST', headers, body: form });
  return response.json();
}

describe('an upload in GraphQL', () => {
  it('goes from opening to a written file', async () => {
    const bytes = randomBytes(2500);
    const session = await open(bytes);
    expect(session).toMatchObject({ state: 'receiving', totalChunks: 3, chunksReceived: [] });
    const id = session.sessionId;
    for (const index of [2, 0, 1]) {
      const { data } = await send(id, index, bytes.subarray(index * 1024, (index + 1) * 1024));
      expect(data.uploadChunk).toEqual({ chunkIndex: index });
    }
    const call = { token: user.token, variables: { id } };
    expect((await graphql(STATUS, call)).data.uploadSession).toEqual({ state: 'receiving', chunksReceived: [0, 1, 2] });
    const first = await graphql(FINALIZE, call);
    expect(first.data.finalizeUpload).toEqual({
      uploadId: expect.stringMatching(/\S/),
      revisionId: expect.any(Array),
      createdAt: expect.any(Number),
    });
    expect(await graphql(FINALIZE, call)).toEqual(first);
    expect((await graphql(DELETE, call)).data.deleteUploadSession).toEqual({ deleted: true });
    expect(codeOf(await graphql(STATUS, call))).toBe('NOT_FOUND');
  });

  it.each([
    ['read', STATUS],
    ['finalized', FINALIZE],
    ['deleted', DELETE],
  ])('is not to be %s by another', async (_, query) => {
    const { sessionId: id } = await open(randomBytes(100));
    expect(codeOf(await graphql(query, { token: other.token, variables: { id } }))).toBe('FORBIDDEN');
    expect(codeOf(await graphql(query, { variables: { id } }))).toBe('UNAUTHENTICATED');
  });

  it('takes no chunk of another, of a wrong size or beyond the last', async () => {
    const bytes = randomBytes(1024);
    const { sessionId: id } = await open(bytes);
    const codes = [
      await send(id, 0, bytes, other.token),
      await send(id, 0, bytes.subarray(1)),
      await send(id, 0, Buffer.concat([bytes, bytes])),
      await send(id, 1, bytes),
    ].map(codeOf);
    expect(codes).toEqual(['FORBIDDEN', 'BAD_REQUEST', 'BAD_REQUEST', 'BAD_REQUEST']);
  });
});
