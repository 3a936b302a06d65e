import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NetbirdPlatform } from '../../kit/network/netbird-platform.js';
import { graphql } from '../../kit/platform.js';

let platform: NetbirdPlatform;
beforeAll(async () => {
  platform = await NetbirdPlatform.start();
  await platform.settled();
}, 120_000);
afterAll(() => platform.stop());

it('a new key of a machine of the platform stays, although the server is reconciled before it is stored', async () => {
  const { netbird, owner } = platform;
  const { id, peer } = (await platform.send('POST /api/network/infra/enroll/', { name: 'gateway' })).body;
  await platform.has('groups', `peer:${peer}`);
  await platform.settled();
  let reconciled = 0;
  netbird.afterWrite = async (write) => {
    if (write !== 'POST setup-keys') return;
    await platform.send('POST /api/network/groups/', { label: 'meanwhile' });
    await platform.settled();
    reconciled += 1;
  };
  const issue = `mutation { issueInfraSetupKey(id: ${id}) { setupKey } }`;
  const { data } = await graphql(issue, { token: owner.user.token, url: platform.url });
  netbird.afterWrite = () => Promise.resolve();
  await platform.settled();
  expect(reconciled).toBe(1);
  expect(netbird.join(data.issueInfraSetupKey.setupKey)).toEqual(expect.any(String));
});
