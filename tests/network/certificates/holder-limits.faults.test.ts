import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { certifyHolder } from '../../../subgraphs/network/certificates/certificate-issue/issue.actions.js';
import { CertificateFixture } from '../../kit/network/certificate-fixture.js';
import { newKeyPair } from '../../kit/network/certificate.js';

const DAY_MS = 86_400_000;

let room: CertificateFixture;
beforeAll(async () => {
  room = await CertificateFixture.open();
}, 60_000);
afterAll(() => room.close());

it('a peer with a certificate gets 24 of them a day, and more on the next', async () => {
  const { publicKey } = newKeyPair();
  const holder = { userId: await room.user(), reference: randomUUID(), label: 'laptop', publicKey, renews: true };
  let keyNumber = 0;
  const certify = () => certifyHolder(room.issuer, { ...holder, keyNumber: ++keyNumber });
  for (let number = 1; number <= 24; number++) await certify();
  const refusal = { extensions: { code: 'RATE_LIMITED', retryAfter: 3_600 } };
  await expect(certify()).rejects.toMatchObject(refusal);
  room.nowMs += DAY_MS - 1_000;
  await expect(certify()).rejects.toMatchObject(refusal);
  room.nowMs += 2_000;
  await certify();
});
