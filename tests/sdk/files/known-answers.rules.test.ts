import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { blake3 } from '@noble/hashes/blake3.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  decryptBytes,
  decrypted,
  encrypted,
  framedSize,
  FRAME_BYTES,
  sourceOf,
} from '../../../sdk/src/files/framing.js';
import { hashOf, saltedHash } from '../../../sdk/src/files/hash.js';
import {
  folderHash,
  folderKey,
  pathHash,
  signRenames,
  signUpload,
  verifyingKey,
} from '../../../sdk/src/files/manifest.js';
import { folderMnemonic, keyOfMnemonic, walletOf } from '../../../sdk/src/wallet.js';

/** Known answers of existing clients. */
const P12 = `${'abandon '.repeat(11)}about`;
const P24 = `${'abandon '.repeat(23)}art`;
const ALPHA_KEY = 'b8a5eaafb059a3ed9860023f33622205851004ea2ee3750bb2b5c06653b45eec';
const CIPHERTEXT =
  'b76413f1c1633749ed02dfaee004b11d44a8126ee12f0ed10100000033000000cfd276eb49236f6c3a83df13c42a769f2c478a0415ae380801be09e0d30c1052eb4bf1a090bba946bc2d284f7e621ee0137eb2';

describe('a wallet', () => {
  it.each([
    [
      `${'test '.repeat(11)}junk`,
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8',
    ],
    [P12, '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', '5EPCUjPxiHAcNooYipQFWr9NmmXJKpNG5RhcntXwbtUySrgH'],
  ])('of the phrase %j has the addresses of every other client', (phrase, address, substrateAddress) => {
    expect(walletOf(phrase)).toMatchObject({ address, substrateAddress });
  });

  it('signs as wallets do', async () => {
    expect(await walletOf(`${'test '.repeat(11)}junk`).sign('hello')).toBe(
      '0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c',
    );
  });

  it('of a phrase with a wrong word is refused', () => {
    expect(() => walletOf(`${'abandon '.repeat(11)}abandon`)).toThrow('checksum');
  });
});

describe('a folder', () => {
  it.each([
    ['default', '37a8eec1ce19687d'],
    ['alpha', '8ed3f6ad685b959e'],
    ['', 'e3b0c44298fc1c14'],
    ['Über/Δrive', '4f768ad9fa301d1c'],
  ])('labelled %j has the hash %s', (label, hash) => {
    expect(folderHash(label)).toBe(hash);
  });

  it('has a phrase of its own, derived from the master phrase', () => {
    expect(folderMnemonic(P24, 'default')).toBe(
      'brain morning wheel series benefit dumb retire winner method truck hollow scatter long local truly fancy yard cost diamond lawn wise rural echo fluid',
    );
  });

  it('has one key for encryption and for signatures', () => {
    expect(bytesToHex(folderKey(P12, 'alpha').secret)).toBe(ALPHA_KEY);
  });
});

describe('a ciphertext', () => {
  const key = hexToBytes(ALPHA_KEY);

  it('of another client is decrypted', async () => {
    expect(new TextDecoder().decode(await decryptBytes(hexToBytes(CIPHERTEXT), key))).toBe(
      'hippius hcfs at-rest decrypt KAT v1',
    );
  });

  it('is the same as that of another client with the same nonce', async () => {
    const source = encrypted(
      sourceOf(utf8ToBytes('hippius hcfs at-rest decrypt KAT v1')),
      key,
      hexToBytes(CIPHERTEXT.slice(0, 48)),
    );
    expect(bytesToHex(await source.read(0, source.size))).toBe(CIPHERTEXT);
  });

  it.each([
    [0, 48],
    [1, 49],
    [262_144, 262_192],
    [262_145, 262_213],
    [600_000, 600_088],
  ])('of %d bytes has %d bytes', (plaintext, ciphertext) => {
    expect(framedSize(plaintext)).toBe(ciphertext);
  });

  it('reads alike in any pieces', async () => {
    const plaintext = new Uint8Array(2 * FRAME_BYTES + 5).map((_, index) => index % 251);
    const source = encrypted(sourceOf(plaintext), key, new Uint8Array(24));
    const whole = await source.read(0, source.size);
    const pieces = [];
    for (let at = 0; at < source.size; at += 99_991)
      pieces.push(...(await source.read(at, Math.min(at + 99_991, source.size))));
    expect(Buffer.from(pieces).equals(whole)).toBe(true);
    expect(Buffer.from(await decryptBytes(whole, key)).equals(plaintext)).toBe(true);
  });

  it('that was altered or cut is refused', async () => {
    const bytes = hexToBytes(CIPHERTEXT);
    await expect(
      decryptBytes(
        bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
        key,
      ),
    ).rejects.toThrow('Cannot decrypt the file');
    await expect(decryptBytes(bytes.subarray(0, -1), key)).rejects.toThrow('truncated');
    await expect(decryptBytes(Uint8Array.from([...bytes, 0]), key)).rejects.toThrow('data after the last frame');
  });
});

describe('a stream of ciphertext', () => {
  const key = hexToBytes(ALPHA_KEY);
  const plaintext = sourceOf(new Uint8Array(2 * FRAME_BYTES));

  /** Yields a ciphertext in pieces; `ends` counts the streams that ended or were given up. */
  async function* stream(ends: { count: number }) {
    const source = encrypted(plaintext, key, new Uint8Array(24));
    try {
      for (let at = 0; at < source.size; at += FRAME_BYTES)
        yield await source.read(at, Math.min(at + FRAME_BYTES, source.size));
    } finally {
      ends.count++;
    }
  }

  it('is given up when it cannot be decrypted', async () => {
    const ends = { count: 0 };
    await expect(decrypted(stream(ends), new Uint8Array(32)).next()).rejects.toThrow('Cannot decrypt the file');
    expect(ends.count).toBe(1);
  });

  it('is given up when the reader of the plaintext stops', async () => {
    const ends = { count: 0 };
    const frames = decrypted(stream(ends), key);
    await frames.next();
    await frames.return(undefined);
    expect(ends.count).toBe(1);
  });
});

describe('a signature', () => {
  const seed = keyOfMnemonic(P12);

  it('has the public key of the phrase', () => {
    expect(bytesToHex(verifyingKey(seed))).toBe('c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a');
  });

  it('of an upload equals that of other clients', () => {
    expect(bytesToHex(signUpload(bytesToHex(blake3(hexToBytes(CIPHERTEXT))), seed))).toBe(
      'e4071a622ed8abb90aac2e0e7e696c729b1bb06a98b3194140487acad21daa246a1a4bf0e9a2be663be8e7b50eba999c0ccee3115757a5b1de7f934aaddf3501',
    );
  });

  it('of renames equals that of other clients, in any order', () => {
    const of = (byte: number) => new Uint8Array(32).fill(byte);
    const pairs = [
      [of(0xff), of(3)],
      [of(1), of(2)],
    ] as const;
    expect(bytesToHex(signRenames(pairs, seed))).toBe(
      '573ba8878f150e1578b92aa3013fedd612ed9b6ad105d74dc4c3800a1a4198820f604b1766d2ee895a81a60da8e1be2c8a70e882bf3acd66775ab932ceed640f',
    );
  });
});

describe('a file', () => {
  it('is named by the hash of its path', () => {
    expect(bytesToHex(pathHash('docs/a.txt'))).toBe('f3a811a0693bf7f24c3a35fb5ac8ba786453b92e50681701c350b1c6f00a9483');
  });

  describe.each(['with WebAssembly', 'without WebAssembly'])('%s', (arrangement) => {
    const { WebAssembly } = globalThis;
    beforeEach(() => {
      if (arrangement === 'without WebAssembly') Reflect.deleteProperty(globalThis, 'WebAssembly');
    });
    afterEach(() => {
      globalThis.WebAssembly = WebAssembly;
    });

    // Around a leaf of BLAKE3, and around what is read at once.
    it.each([0, 1, 1023, 1024, 1025, 1024 * 1024, 2 * 1024 * 1024 + 1])('of %i bytes has its BLAKE3', async (size) => {
      const bytes = new Uint8Array(size).map((_, index) => index % 251);
      const owner = '5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8';
      const salted = new Uint8Array([...utf8ToBytes(owner), ...bytes]);
      expect(await hashOf(sourceOf(bytes))).toEqual(blake3(bytes));
      expect(await saltedHash(sourceOf(bytes), owner)).toEqual(blake3(salted));
    });
  });
});
