import { describe, expect, it } from '@jest/globals';
import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto';
import { checkHostKey, readPem } from '../../../kernel/security/host-key.js';
import { CAPTURED } from '../../kit/network/captured-certificates.js';

const CAPTURED_KEY = readPem('hostPublicKey', CAPTURED.hostPublicKey) ?? Buffer.alloc(0);

/** Coordinates as 32 bytes, little-endian, in hex. Source: Bernstein, Curve25519, "How do I validate public keys?" */
const LOW_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

describe('a public key', () => {
  it.each([
    ['PEM', CAPTURED.hostPublicKey],
    ['PEM without its last line feed', CAPTURED.hostPublicKey.trim()],
    ['PEM with carriage returns', CAPTURED.hostPublicKey.replaceAll('\n', '\r\n')],
    ['base64', CAPTURED_KEY.toString('base64')],
    ['hex', CAPTURED_KEY.toString('hex')],
    ['hex in capitals', CAPTURED_KEY.toString('hex').toUpperCase()],
  ])('is read from %s', (_, text) => {
    expect(checkHostKey(text)).toEqual(CAPTURED_KEY);
  });

  it('is accepted from any new pair', () => {
    for (let round = 0; round < 50; round += 1) {
      const raw = generateKeyPairSync('x25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
      expect(checkHostKey(raw.toString('hex'))).toEqual(raw);
    }
  });

  it.each(LOW_ORDER)('of low order, %s, gives no secret and is refused', (hex) => {
    const { privateKey } = generateKeyPairSync('x25519');
    const prefix = Buffer.from('302a300506032b656e032100', 'hex');
    const key = Buffer.concat([prefix, Buffer.from(hex, 'hex')]);
    const publicKey = createPublicKey({ key, format: 'der', type: 'spki' });
    expect(() => diffieHellman({ privateKey, publicKey })).toThrow();
    expect(() => checkHostKey(hex)).toThrow('no point that a secret can be agreed on');
  });

  it.each(LOW_ORDER)('of low order, %s, is refused with its unused bit set as well', (hex) => {
    const bytes = Buffer.from(hex, 'hex');
    bytes[31] = (bytes[31] ?? 0) | 0x80;
    expect(() => checkHostKey(bytes.toString('base64'))).toThrow('no point that a secret can be agreed on');
  });

  it('is refused with its unused bit set, as it would be another name of the same key', () => {
    const bytes = Buffer.from(CAPTURED_KEY);
    bytes[31] = (bytes[31] ?? 0) | 0x80;
    expect(() => checkHostKey(bytes.toString('hex'))).toThrow('no point that a secret can be agreed on');
  });

  it.each([
    '',
    'nonsense',
    'ab'.repeat(31),
    'ab'.repeat(33),
    Buffer.alloc(31, 7).toString('base64'),
    Buffer.alloc(33, 7).toString('base64'),
    CAPTURED.hostPublicKey.replaceAll('X25519', 'ED25519'),
    '-----BEGIN NEBULA X25519 PUBLIC KEY-----\n-----END NEBULA X25519 PUBLIC KEY-----',
    CAPTURED.authority,
    CAPTURED.authorityKey,
  ])('is refused where it is none: %j', (text) => {
    expect(() => checkHostKey(text)).toThrow('must be an x25519 public key');
  });
});
