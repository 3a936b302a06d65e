import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { manifestFor } from '../../kit/files/bytes.js';
import { storeFile } from '../../kit/files/stored-file.js';
import { TestUpload } from '../../kit/files/upload.js';
import { graphql } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

/** The names of the ids in the result of each audited call of the mutation, latest first. */
async function entriesOf({ token }: SignedIn, mutation: string): Promise<string[]> {
  const query = `query ($mutation: String!) {
    me { syncAuditLog(mutation: $mutation) { results { resultIds { name } } } } }`;
  const { data } = await graphql(query, { token, variables: { mutation } });
  const results: { resultIds: { name: string }[] }[] = data.me.syncAuditLog.results;
  return results.map(({ resultIds }) => resultIds.map(({ name }) => name).join(' '));
}

it('the audit log has an entry for a stored file of several chunks, and none when it is refused', async () => {
  const user = await signIn();
  const bytes = randomBytes(8 * 1024 * 1024 + 1);
  const refusal = await storeFile(user, { bytes, manifest: manifestFor(user, 'refused', randomBytes(32)) });
  expect(refusal.reply.body.Error.message).toMatch(/ciphertext does not match/);
  expect(await entriesOf(user, 'uploadFile')).toEqual([]);
  expect((await storeFile(user, { bytes })).reply.status).toBe(200);
  expect(await entriesOf(user, 'uploadFile')).toEqual([expect.stringMatching(/fileId/)]);
});

it('the audit log has an entry for a finalized upload, and none when it is refused', async () => {
  const user = await signIn();
  const upload = await TestUpload.open({ user, chunkSize: 1000 });
  await upload.putAll();
  await upload.put(0, { bytes: randomBytes(1000) });
  expect((await upload.finalize()).status).toBe(400);
  expect(await entriesOf(user, 'finalizeUpload')).toEqual([]);
  await upload.put(0);
  expect((await upload.finalize()).status).toBe(200);
  expect(await entriesOf(user, 'finalizeUpload')).toEqual([expect.stringMatching(/uploadId/)]);
});
