import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { call, graphql, type Json } from '../../kit/platform.js';
import { TestUpload } from '../../kit/files/upload.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const LIST = `query ($owner: String!) {
  folders(ownerAddress: $owner) {
    folders { label openUploads { sessionId relativePath fileName ciphertextSize receivedBytes createdAt expiresAt } }
  }
}`;

let user: SignedIn;
let photos: string;
beforeAll(async () => {
  user = await signIn();
  photos = await register(user, 'photos');
  await register(user, 'empty');
});

async function register({ token, substrateAddress }: SignedIn, label: string): Promise<string> {
  const folder_hash = createHash('sha256').update(label).digest('hex').slice(0, 16);
  const body = { ss58_address: substrateAddress, folder_hash, label };
  const { status } = await call('POST /register_folder', { token, body });
  expect(status).toBe(200);
  return folder_hash;
}

async function uploadsOf({ token, substrateAddress }: SignedIn): Promise<Json> {
  const { data } = await graphql(LIST, { token, variables: { owner: substrateAddress } });
  const entries = data.folders.folders.map(({ label, openUploads }: Json) => [label, openUploads]);
  return Object.fromEntries(entries);
}

const open = (manifest: Json, owner = user) =>
  TestUpload.open({ user: owner, manifest: { folder_hash: photos, ...manifest } });

describe('the open uploads of a folder', () => {
  it('are its sessions that still receive chunks, with the bytes of the chunks that have come', async () => {
    const upload = await open({ relative_path: 'summer/beach.jpg', file_name: 'beach.jpg' });
    await upload.putAll([0, 4]);
    const { photos: listed, empty } = await uploadsOf(user);
    expect({ listed, empty }).toEqual({
      listed: [
        {
          sessionId: upload.id,
          relativePath: 'summer/beach.jpg',
          fileName: 'beach.jpg',
          ciphertextSize: 5000,
          receivedBytes: 1024 + 904,
          createdAt: expect.any(Number),
          expiresAt: expect.any(Number),
        },
      ],
      empty: [],
    });
    expect(listed[0].expiresAt - listed[0].createdAt).toBeGreaterThanOrEqual(86_400);
    await upload.putAll([1, 2, 3]);
    expect((await uploadsOf(user)).photos[0].receivedBytes).toBe(5000);
    await upload.finalize();
    expect((await uploadsOf(user)).photos).toEqual([]);
  });

  it('leave the list when they are cancelled', async () => {
    const [first, second] = [await open({ file_name: `a-${randomUUID()}` }), await open({ file_name: 'b' })];
    await first.delete();
    const { photos: listed } = await uploadsOf(user);
    expect(listed.map(({ sessionId }: Json) => sessionId)).toEqual([second.id]);
    await second.delete();
  });

  it('are not shown for a folder of the same name of another owner', async () => {
    const other = await signIn();
    await register(other, 'photos');
    const [mine, theirs] = [await open({}), await open({}, other)];
    for (const [owner, upload] of [
      [user, mine],
      [other, theirs],
    ] as const)
      expect((await uploadsOf(owner)).photos.map(({ sessionId }: Json) => sessionId)).toEqual([upload.id]);
  });
});
