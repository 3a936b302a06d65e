import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ARRANGEMENTS } from '../../kit/arrangements.js';
import { FORM_TYPE, send } from '../../kit/files/bytes.js';
import { call, graphql } from '../../kit/platform.js';
import { BILLING_BYPASS_SECRET, setPrice, startPlatform, type PaidPlatform } from '../../kit/files/storage-price.js';
import { manifestOf, uploadForm } from '../../kit/files/sync.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';

describe.each(ARRANGEMENTS)('X-Billing-Bypass, %s', (arrangement) => {
  let platform: PaidPlatform;
  let user: SignedIn;
  beforeAll(async () => {
    platform = await startPlatform(arrangement);
    user = await signIn(undefined, platform.url);
    await setPrice('1', platform.url);
  }, 120_000);
  afterAll(() => platform.stop());

  const upload = async (path: string, bypass?: string) => {
    const bytes = Buffer.from(path);
    const headers = { 'content-type': FORM_TYPE, ...(bypass !== undefined && { 'x-billing-bypass': bypass }) };
    const form = uploadForm(manifestOf(user, path, bytes), bytes);
    return (await send('POST /upload', form, { token: user.token, url: platform.url, headers })).status;
  };
  const canUpload = async (bypass: string) => {
    const body = { ss58_address: user.substrateAddress, size_bytes: 5 };
    const headers = { 'x-billing-bypass': bypass };
    return (await call('POST /can_upload', { token: user.token, url: platform.url, headers, body })).body.result;
  };

  it('lets be stored what is not paid for', async () => {
    expect([await upload('a', BILLING_BYPASS_SECRET), await canUpload(BILLING_BYPASS_SECRET)]).toEqual([200, true]);
  });

  it.each([undefined, 'x', `${BILLING_BYPASS_SECRET}x`])('does nothing as %s', async (bypass) => {
    expect([await upload('b', bypass), await canUpload(bypass ?? '')]).toEqual([402, false]);
  });

  it('is no variable that a client could set', async () => {
    const { data } = await graphql('{ __type(name: "Mutation") { fields { args { name } } } }', { url: platform.url });
    expect(JSON.stringify(data)).not.toMatch(/bypass/i);
  });
});
