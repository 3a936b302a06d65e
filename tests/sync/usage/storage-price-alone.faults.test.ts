import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { manifestFor } from '../../kit/files/bytes.js';
import { call, codeOf, type Json } from '../../kit/platform.js';
import { recordAt, setPrice, startPlatform, type PaidPlatform } from '../../kit/files/storage-price.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { end } from '../../kit/watch.js';

const CAN_UPLOAD = 'query ($owner: String!) { canUpload(ownerAddress: $owner, sizeBytes: 5) { result error } }';
const OPEN = `mutation ($manifest: ManifestInput!) {
  openUploadSession(manifest: $manifest, chunkCount: 1, chunkSize: 5, ciphertextSize: 5) { state }
}`;
const SET_PRICE = 'mutation { adminSetStoragePrice(creditsPerGibMonth: "1") { creditsPerGibMonth } }';

let platform: PaidPlatform;
let user: SignedIn;
beforeAll(async () => {
  platform = await startPlatform('behind HTTP');
  user = await signIn(undefined, platform.url);
  await setPrice(null, platform.url);
  await recordAt(0, platform.url);
  const accounts = platform.processes.find(({ child }) => child.spawnargs.includes('accounts'));
  if (!accounts) throw new Error('accounts runs in a process of its own');
  await end(accounts.child, 'SIGKILL');
}, 120_000);
afterAll(() => platform.stop());

/** Calls sync at its own endpoint, as the gateway would for this user. */
async function askSync(query: string, roles: readonly string[] = []): Promise<Json> {
  const { userId, substrateAddress } = user;
  const viewer = { kind: 'user', userId, username: 'x', substrateAddress, tokenId: 'x', expiresAt: null, roles };
  const fields = Object.entries(manifestFor(user, 'x')).map(([name, value]): [string, unknown] => [
    name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  const { body } = await call('POST /', {
    url: platform.subgraphUrls.sync ?? '',
    body: { query, variables: { owner: substrateAddress, manifest: Object.fromEntries(fields) } },
    headers: {
      'x-subgraph-secret': 'the-subgraph-secret-of-the-tests',
      'x-viewer': Buffer.from(JSON.stringify(viewer)).toString('base64url'),
      'x-request-id': 'of-the-tests',
    },
  });
  return body;
}

describe('sync while accounts is gone', () => {
  it('takes uploads as long as storage is free: it asks nobody', async () => {
    expect((await askSync(CAN_UPLOAD)).data.canUpload).toEqual({ result: true, error: null });
    expect((await askSync(OPEN)).data.openUploadSession.state).toBe('receiving');
  });

  it('says at a price that the balance is not known, which clients try again', async () => {
    await askSync(SET_PRICE, ['ADMIN']);
    expect((await askSync(CAN_UPLOAD)).data.canUpload).toEqual({
      result: false,
      error: expect.stringMatching(/^billing: /),
    });
    expect(codeOf(await askSync(OPEN))).toBe('UNAVAILABLE');
  });
});
