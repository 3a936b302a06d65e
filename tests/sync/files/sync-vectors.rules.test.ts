import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { openHashing, openPortableHashing, type Hashing } from '../../../subgraphs/sync/blake3/hashing.js';
import { isSigned, renameSentence, uploadSentence } from '../../../subgraphs/sync/inputs/manifest.rules.js';
import { plainName } from '../../../subgraphs/sync/files/file/plain.rules.js';
import { ciphertextBytes } from '../../../subgraphs/sync/usage/quota.rules.js';

// vectors.json, folderSync
const SEED = '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1';
const signingKey = Buffer.from('c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a', 'hex');
const CIPHERTEXT = Buffer.from(
  'b76413f1c1633749ed02dfaee004b11d44a8126ee12f0ed10100000033000000cfd276eb49236f6c3a83df13c42a769f2c478a0415ae380801be09e0d30c1052eb4bf1a090bba946bc2d284f7e621ee0137eb2',
  'hex',
);
const CIPHERTEXT_HASH = '6d6c4769c6ddec188438a0598050272d443468d1b775eb1c992ee55819570a57';
const UPLOAD_SIGNATURE = Buffer.from(
  'e4071a622ed8abb90aac2e0e7e696c729b1bb06a98b3194140487acad21daa246a1a4bf0e9a2be663be8e7b50eba999c0ccee3115757a5b1de7f934aaddf3501',
  'hex',
);
const RENAME_SIGNATURE = Buffer.from(
  '573ba8878f150e1578b92aa3013fedd612ed9b6ad105d74dc4c3800a1a4198820f604b1766d2ee895a81a60da8e1be2c8a70e882bf3acd66775ab932ceed640f',
  'hex',
);
const RENAMES = [
  { from: Buffer.alloc(32, 0xff), to: Buffer.alloc(32, 3) },
  { from: Buffer.alloc(32, 1), to: Buffer.alloc(32, 2) },
];

let hashings: Hashing[];
beforeAll(async () => {
  hashings = await Promise.all([openHashing(), openPortableHashing()]);
});

const hashesOf = (bytes: Buffer) => hashings.map((hashing) => hashing.stream().update(bytes).digest().toString('hex'));

describe('the known answers of folder sync', () => {
  it('hash a path', () => {
    const hash = 'f3a811a0693bf7f24c3a35fb5ac8ba786453b92e50681701c350b1c6f00a9483';
    expect(hashesOf(Buffer.from('docs/a.txt'))).toEqual([hash, hash]);
  });

  it('hash a framed ciphertext', () => {
    expect(hashesOf(CIPHERTEXT)).toEqual([CIPHERTEXT_HASH, CIPHERTEXT_HASH]);
  });

  it.each([
    ['default', '37a8eec1ce19687d'],
    ['alpha', '8ed3f6ad685b959e'],
    ['', 'e3b0c44298fc1c14'],
    ['Über/Δrive', '4f768ad9fa301d1c'],
  ])('name the folder "%s"', (label, hash) => {
    expect(createHash('sha256').update(label).digest('hex').slice(0, 16)).toBe(hash);
  });

  it.each([
    [0, 48],
    [1, 49],
    [262_144, 262_192],
    [262_145, 262_213],
    [600_000, 600_088],
  ])('frame %i bytes as %i', (plaintext, ciphertext) => {
    expect(ciphertextBytes(BigInt(plaintext))).toBe(BigInt(ciphertext));
  });

  it('sign an upload', () => {
    const sentence = uploadSentence(CIPHERTEXT_HASH);
    expect(sentence).toBe(
      'I here by declare that the file with hash 6d6c4769c6ddec188438a0598050272d443468d1b775eb1c992ee55819570a57 that i am uploading is in par with the ToS of the provider',
    );
    expect(isSigned(sentence, { signature: UPLOAD_SIGNATURE, signingKey })).toBe(true);
  });

  it('sign renames, whatever order they come in', () => {
    for (const renames of [RENAMES, RENAMES.toReversed()]) {
      expect(isSigned(renameSentence(renames), { signature: RENAME_SIGNATURE, signingKey })).toBe(true);
    }
  });

  it('are what the seed signs', () => {
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.from(SEED, 'hex')]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    expect(sign(null, Buffer.from(uploadSentence(CIPHERTEXT_HASH)), key)).toEqual(UPLOAD_SIGNATURE);
    expect(sign(null, Buffer.from(renameSentence(RENAMES)), key)).toEqual(RENAME_SIGNATURE);
  });
});

describe('a signature', () => {
  const sentence = uploadSentence(CIPHERTEXT_HASH);

  it.each([0, 31, 32, 63])('is not valid with a bit changed in byte %i', (at) => {
    const signature = Buffer.from(UPLOAD_SIGNATURE);
    signature.writeUInt8(signature.readUInt8(at) ^ 1, at);
    expect(isSigned(sentence, { signature, signingKey })).toBe(false);
  });

  it('is not valid by another key or for another sentence', () => {
    expect(isSigned(sentence, { signature: UPLOAD_SIGNATURE, signingKey: Buffer.alloc(32) })).toBe(false);
    expect(isSigned(sentence, { signature: UPLOAD_SIGNATURE, signingKey: Buffer.alloc(32, 0xff) })).toBe(false);
    expect(isSigned(`${sentence} `, { signature: UPLOAD_SIGNATURE, signingKey })).toBe(false);
  });
});

describe('the name of a plain file', () => {
  it('is hashed as a path, composed', () => {
    const [hashing] = hashings;
    if (!hashing) throw new Error('hashing is open');
    const names = ['\u00fcber.txt', 'u\u0308ber.txt'].map((name) => plainName(name, hashing));
    expect(names[0]).toEqual(names[1]);
    expect(names[0]?.pathHash.toString('hex')).toBe(hashesOf(Buffer.from('\u00fcber.txt'))[0]);
  });

  it('of 64 hex digits is the hash itself', () => {
    const [hashing] = hashings;
    if (!hashing) throw new Error('hashing is open');
    expect(plainName(CIPHERTEXT_HASH, hashing).pathHash.toString('hex')).toBe(CIPHERTEXT_HASH);
    expect(() => plainName('', hashing)).toThrow('must have a name');
  });
});
