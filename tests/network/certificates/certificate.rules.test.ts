import { describe, expect, it } from '@jest/globals';
import {
  decodeCertificate,
  fingerprintOf,
  signCertificate,
  type CertificateDetails,
} from '../../../subgraphs/network/certificates/certificate/certificate.rules.js';
import { refusalOf } from '../../kit/network/certificate-verification.js';
import { pemOf, readPem } from '../../../kernel/security/host-key.js';
import { CAPTURED } from '../../kit/network/captured-certificates.js';

const bytesOf = (pem: string) => readPem('certificate', pem) ?? Buffer.alloc(0);
const keyOf = (pem: string) => readPem('authorityKey', pem) ?? Buffer.alloc(0);

const HOST_KEY = readPem('hostPublicKey', CAPTURED.hostPublicKey) ?? Buffer.alloc(0);
const GATEWAY: CertificateDetails = {
  name: 'gateway-é',
  ips: ['192.168.255.254/17'],
  subnets: ['172.16.4.0/24', '10.9.0.0/17'],
  groups: ['db', 'web'],
  notBefore: new Date('2026-11-21T16:23:39Z'),
  notAfter: new Date('2026-11-22T16:23:39Z'),
  publicKey: HOST_KEY,
  isAuthority: false,
  issuer: '70af0b7a8acd1691ca051af481c8748cd858276a131cf6332472938615177d5d',
};
const NOON = new Date('2026-11-22T12:00:00Z');

describe('a certificate', () => {
  it('says what nebula-cert prints of it', () => {
    const { signature, ...details } = decodeCertificate(bytesOf(CAPTURED.gateway));
    expect(details).toEqual(GATEWAY);
    expect(signature.toString('hex')).toMatch(/^0602068c.*ee9016c6f01$/);
  });

  it('of an authority says what nebula-cert prints of it', () => {
    expect(decodeCertificate(bytesOf(CAPTURED.wideAuthority))).toMatchObject({
      name: 'wide ✓',
      ips: ['10.0.0.0/8', '192.168.0.1/16'],
      subnets: ['172.16.0.0/12', '10.9.0.0/16'],
      groups: ['web', 'db'],
      notAfter: new Date('2027-01-02T08:23:39Z'),
      isAuthority: true,
      issuer: '',
    });
  });

  it('has the fingerprint that nebula-cert prints', () => {
    expect(fingerprintOf(bytesOf(CAPTURED.gateway))).toBe(
      '15784e9ad70d2ead4ef433211fc91a0243058dda381b32b051cd96aeae0d5998',
    );
  });

  it.each([
    ['an authority', CAPTURED.authority, CAPTURED.authorityKey],
    ['an authority with everything', CAPTURED.wideAuthority, CAPTURED.wideAuthorityKey],
    ['a host', CAPTURED.host, CAPTURED.authorityKey],
    ['a gateway', CAPTURED.gateway, CAPTURED.wideAuthorityKey],
  ])('of %s is the same to the byte as that of nebula-cert', (_, pem, key) => {
    const bytes = signCertificate(decodeCertificate(bytesOf(pem)), keyOf(key));
    expect(pemOf('certificate', bytes)).toBe(pem);
  });

  it('keeps whole seconds', () => {
    const bytes = signCertificate({ ...GATEWAY, notBefore: new Date(1_999) }, keyOf(CAPTURED.wideAuthorityKey));
    expect(decodeCertificate(bytes).notBefore).toEqual(new Date(1_000));
  });

  it.each(['', 'ff', '0a05', '0a0208', '0b00', '0a0908ffffffffffffff7f'])('is not what the bytes %j say', (hex) => {
    expect(() => {
      const { publicKey } = decodeCertificate(Buffer.from(hex, 'hex'));
      if (publicKey.length === 0) throw new Error('there is no key in it');
    }).toThrow();
  });
});

describe('an authority', () => {
  const wide = bytesOf(CAPTURED.wideAuthority);
  const signed = (changes: Partial<CertificateDetails>) =>
    signCertificate({ ...GATEWAY, ...changes }, keyOf(CAPTURED.wideAuthorityKey));

  it('vouches for what it signed', () => {
    expect(refusalOf(bytesOf(CAPTURED.gateway), wide, NOON)).toBeUndefined();
    expect(refusalOf(bytesOf(CAPTURED.host), bytesOf(CAPTURED.authority), NOON)).toBeUndefined();
  });

  it.each([
    ['before its time', {}, new Date('2026-11-21T16:23:38Z'), 'it is expired or not valid yet'],
    ['after its time', {}, new Date('2026-11-22T16:23:40Z'), 'it is expired or not valid yet'],
    ['for an authority', { isAuthority: true }, NOON, 'it is not a host certificate signed by an authority'],
    ['of another issuer', { issuer: 'ab'.repeat(32) }, NOON, 'it was signed by another authority'],
    [
      'that outlives it',
      { notAfter: new Date('2027-01-02T08:23:40Z') },
      NOON,
      'it is valid for longer than its authority',
    ],
    [
      'that is older',
      { notBefore: new Date('2026-11-21T16:23:38Z') },
      NOON,
      'it is valid for longer than its authority',
    ],
    ['with a foreign address', { ips: ['11.0.0.1/24'] }, NOON, 'its address is outside the range of the authority'],
    ['with a wider range', { ips: ['10.0.0.1/7'] }, NOON, 'its address is outside the range of the authority'],
    ['with a foreign subnet', { subnets: ['8.8.8.0/24'] }, NOON, 'a subnet is outside the subnets of the authority'],
    ['with a foreign group', { groups: ['web', 'admin'] }, NOON, 'a group is not one of the authority’s groups'],
  ])('vouches for none %s', (_, changes, now, reason) => {
    expect(refusalOf(signed(changes), wide, now)).toBe(reason);
  });

  it('vouches for none that was changed after it was signed', () => {
    const bytes = Buffer.from(bytesOf(CAPTURED.gateway));
    const at = bytes.indexOf('gateway');
    bytes.write('gatewaY', at);
    expect(refusalOf(bytes, wide, NOON)).toBe('its signature is invalid');
  });
});
