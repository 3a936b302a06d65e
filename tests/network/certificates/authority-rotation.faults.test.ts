import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { errorCode } from '../../../kernel/errors.js';
import {
  readCertificate,
  renewCertificate,
  requestCertificate,
} from '../../../subgraphs/infrastructure/certificates/certificate.actions.js';
import { publishAuthorityPhases } from '../../../subgraphs/network/certificates/authority/phase.actions.js';
import {
  listAuthorities,
  rotateAuthority,
} from '../../../subgraphs/network/certificates/authority/rotation.actions.js';
import { isCertificateDue } from '../../../subgraphs/network/certificates/certificate/renewal.rules.js';
import { signingAuthority } from '../../../subgraphs/network/certificates/authority/authority.actions.js';
import { certifyLighthouse } from '../../../subgraphs/network/drivers/lighthouse/lighthouse.actions.js';
import { findTenant } from '../../../subgraphs/network/graph/tenant/tenant.actions.js';
import { certificatesIn, decoded, refusalBy } from '../../kit/network/certificate.js';
import { CertificateFixture } from '../../kit/network/certificate-fixture.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let fixture: CertificateFixture;
let userId: number;
beforeAll(async () => {
  fixture = await CertificateFixture.open();
}, 60_000);
afterAll(() => fixture.close());
beforeEach(async () => {
  userId = await fixture.user();
});

const read = () => readCertificate(fixture.context, userId);
async function tenantOf(): Promise<{ id: number; addressRange: string; revision: number }> {
  const tenant = await findTenant(fixture.databases.network, userId);
  if (!tenant) throw new Error('there is no tenant');
  return tenant;
}
async function rotate(overlapHours: number): Promise<void> {
  const { secretBox } = fixture.issuer.services;
  const tenant = { ...(await tenantOf()), userId };
  await rotateAuthority(fixture.databases.network, secretBox, { tenant, overlapHours, now: fixture.now });
}
/** Issues a certificate to the platform's own lighthouse of this network. */
async function issueOther(): Promise<void> {
  const at = { ip: '100.64.0.1', publicKey: randomBytes(32), now: fixture.now };
  const services = { database: fixture.databases.network, secretBox: fixture.issuer.services.secretBox };
  await certifyLighthouse(
    services,
    { ...(await tenantOf()), place: 0, authorities: [], signer: undefined, blocklist: [] },
    at,
  );
}
const states = async () =>
  (await listAuthorities(fixture.databases.network, (await tenantOf()).id, fixture.now)).map(({ state }) => state);

describe('an authority that is exchanged', () => {
  it('is trusted beside the next one, which signs when everyone has heard of it, and then retires', async () => {
    const before = await requestCertificate(fixture.context, userId, undefined);
    await rotate(2);
    expect(await states()).toEqual(['announced', 'signing']);
    const [old, next] = certificatesIn((await read()).ca);
    expect([old, next !== undefined]).toEqual([certificatesIn(before.ca)[0], true]);
    // Nobody is given what others cannot check yet.
    const early = await renewCertificate(fixture.context, userId, undefined);
    expect(refusalBy(before.ca, early.cert, fixture.now)).toBeUndefined();

    fixture.nowMs += 2 * MINUTE_MS + 1;
    expect(await states()).toEqual(['signing', 'trusted']);
    const renewed = await renewCertificate(fixture.context, userId, undefined);
    expect(certificatesIn(renewed.ca)).toHaveLength(2);
    expect(refusalBy(before.ca, renewed.cert, fixture.now)).toBe('it was signed by another authority');
    expect(refusalBy(renewed.ca, renewed.cert, fixture.now)).toBeUndefined();
    expect(refusalBy(renewed.ca, before.cert, fixture.now)).toBeUndefined();

    fixture.nowMs += 2 * HOUR_MS;
    expect(await states()).toEqual(['signing', 'retired']);
    const last = await read();
    expect(certificatesIn(last.ca)).toEqual([next]);
    expect([last.cert, refusalBy(last.ca, last.cert, fixture.now)]).toEqual([renewed.cert, undefined]);
  });

  it('ends what it signed when it retires, of which holders are told in time', async () => {
    const { certificateId, ip } = await requestCertificate(fixture.context, userId, undefined);
    await rotate(24);
    fixture.nowMs += 3 * MINUTE_MS;
    await fixture.run('watch-certificates');
    expect(await fixture.notifications(userId)).toEqual([
      expect.stringMatching(/^Renew your overlay certificate before /),
    ]);
    const { expiresAt } = await read();
    expect((expiresAt.getTime() - fixture.nowMs) / HOUR_MS).toBeCloseTo(24, 0);
    fixture.nowMs += 25 * HOUR_MS;
    expect(await read().catch(errorCode)).toBe('NOT_FOUND');
    expect(await renewCertificate(fixture.context, userId, undefined)).toMatchObject({
      certificateId,
      ip,
      isActive: true,
    });
  });

  it('is deleted with its key when no certificate that it signed is valid any more', async () => {
    await requestCertificate(fixture.context, userId, undefined);
    await rotate(1);
    fixture.nowMs += 3 * MINUTE_MS;
    await renewCertificate(fixture.context, userId, undefined);
    fixture.nowMs += 29 * DAY_MS;
    await issueOther();
    expect(await states()).toEqual(['signing', 'retired']);
    fixture.nowMs += DAY_MS + HOUR_MS;
    await issueOther();
    expect(await states()).toEqual(['signing']);
    expect(await renewCertificate(fixture.context, userId, undefined)).toMatchObject({ isActive: true });
  });

  it('is kept while a holder has no newer certificate, and tells when that one ended', async () => {
    const { certificateId, ip } = await requestCertificate(fixture.context, userId, undefined);
    await rotate(1);
    const expired = ['Your overlay certificate has expired'];
    for (const days of [1, 40]) {
      fixture.nowMs += days * DAY_MS;
      await issueOther();
      await fixture.run('watch-certificates');
      expect(await fixture.notifications(userId)).toEqual(expired);
    }
    expect(await states()).toEqual(['signing', 'retired']);
    expect(await renewCertificate(fixture.context, userId, undefined)).toMatchObject({
      certificateId,
      ip,
      isActive: true,
    });
    await issueOther();
    expect(await states()).toEqual(['signing']);
  });

  it('has peers renew their certificates as soon as the next one signs', async () => {
    const { cert } = await requestCertificate(fixture.context, userId, undefined);
    const [bytes = Buffer.alloc(0)] = certificatesIn(cert);
    const isDue = async () => {
      const signer = await signingAuthority(fixture.databases.network, (await tenantOf()).id, fixture.now);
      return isCertificateDue(bytes, { subnets: [], signer }, fixture.now);
    };
    await rotate(2);
    expect(await isDue()).toBe(false);
    fixture.nowMs += 3 * MINUTE_MS;
    expect(await isDue()).toBe(true);
    expect(decoded(cert).issuer).not.toBe(
      await signingAuthority(fixture.databases.network, (await tenantOf()).id, fixture.now),
    );
  });

  it('is told of to readers of the graph when it signs and when it retires, once each', async () => {
    await requestCertificate(fixture.context, userId, undefined);
    await rotate(1);
    const notified = async () => {
      const { revision } = await tenantOf();
      await publishAuthorityPhases(fixture.databases.network, fixture.now);
      return (await tenantOf()).revision - revision;
    };
    expect(await notified()).toBe(0);
    fixture.nowMs += 3 * MINUTE_MS;
    expect([await notified(), await notified()]).toEqual([1, 0]);
    fixture.nowMs += HOUR_MS;
    expect([await notified(), await notified()]).toEqual([1, 0]);
  });

  it('is exchanged once where twenty ask for it at once', async () => {
    await requestCertificate(fixture.context, userId, undefined);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        rotate(1).then(
          () => 'rotated',
          (error: unknown) => errorCode(error),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== 'CONFLICT')).toEqual(['rotated']);
    expect(await states()).toEqual(['announced', 'signing']);
  });
});
