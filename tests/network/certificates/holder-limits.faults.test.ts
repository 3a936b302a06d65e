import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { certifyHolder } from '../../../subgraphs/network/certificates/certificate-issue/issue.actions.js';
import { peersOf } from '../../../subgraphs/network/graph/peer/own-peers.actions.js';
import { createRouter } from '../../../subgraphs/network/graph/router/router.actions.js';
import { findTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { CertificateFixture } from '../../kit/network/certificate-fixture.js';
import { newKeyPair } from '../../kit/network/certificate.js';

const DAY_MS = 86_400_000;

let fixture: CertificateFixture;
beforeAll(async () => {
  fixture = await CertificateFixture.open();
}, 60_000);
afterAll(() => fixture.close());

it('a peer with a certificate gets 24 of them a day, and more on the next', async () => {
  const { publicKey } = newKeyPair();
  const holder = { userId: await fixture.user(), reference: randomUUID(), label: 'laptop', publicKey, renews: true };
  let keyNumber = 0;
  const certify = () => certifyHolder(fixture.issuer, { ...holder, keyNumber: ++keyNumber });
  for (let number = 1; number <= 24; number++) await certify();
  const refusal = { extensions: { code: 'RATE_LIMITED', retryAfter: 3_600 } };
  await expect(certify()).rejects.toMatchObject(refusal);
  fixture.nowMs += DAY_MS - 1_000;
  await expect(certify()).rejects.toMatchObject(refusal);
  fixture.nowMs += 2_000;
  await certify();
});

it('a peer with a certificate is refused as a router, because it never joins', async () => {
  const userId = await fixture.user();
  const request = { userId, reference: randomUUID(), label: 'laptop', renews: true, keyNumber: 1 };
  await certifyHolder(fixture.issuer, { ...request, publicKey: newKeyPair().publicKey });
  const { network } = fixture.databases;
  const [peer] = await peersOf(network, userId, new Date(fixture.nowMs));
  const networkId = (await findTenant(network, userId))?.defaultNetwork ?? 0;
  const change = { viewer: { userId }, now: new Date(fixture.nowMs) };
  await expect(createRouter(network, change, { networkId, peerId: peer?.id ?? 0 })).rejects.toMatchObject({
    message: 'The peer is the holder of a certificate, which has no subnets: it cannot be a router.',
    extensions: { code: 'CONFLICT' },
  });
});
