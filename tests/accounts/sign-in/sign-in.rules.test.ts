import { hexToBytes } from '@noble/hashes/utils.js';
import { encodeAddress } from '@polkadot/util-crypto';
import { describe, expect, it } from '@jest/globals';
import {
  challengeMessage,
  checksumAddress,
  isWalletAddress,
  isWellFormedSignature,
  recoverSigner,
} from '../../../subgraphs/accounts/sign-in/wallet/sign-in.rules.js';
import {
  isSubstrateAddress,
  provesSubstrateAddress,
} from '../../../subgraphs/accounts/sign-in/wallet/substrate.rules.js';

// vectors.json, wallet
const JUNK = {
  ethereum: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  substrate: '5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8',
};
const ABANDON = {
  ethereum: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  substrate: '5EPCUjPxiHAcNooYipQFWr9NmmXJKpNG5RhcntXwbtUySrgH',
};
const HELLO =
  '0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c';

describe('recoverSigner', () => {
  it('knows the answer of the vectors', () => {
    expect(recoverSigner('hello', HELLO)).toBe(JUNK.ethereum.toLowerCase());
  });

  it('reads a v of 1 like one of 28', () => {
    expect(recoverSigner('hello', `${HELLO.slice(0, -2)}01`)).toBe(JUNK.ethereum.toLowerCase());
  });

  it.each([
    ['another message', 'hello!', HELLO],
    ['the other v', 'hello', `${HELLO.slice(0, -2)}1b`],
    ['another r', 'hello', HELLO.replace('0xf1', '0xf2')],
  ])('gives somebody else or nobody for %s', (_, message, signature) => {
    expect(recoverSigner(message, signature)).not.toBe(JUNK.ethereum.toLowerCase());
  });

  it.each([`0x${'00'.repeat(64)}1b`, `0x${'ff'.repeat(64)}1c`, `0x${'ff'.repeat(32)}${'01'.repeat(32)}00`])(
    'gives nobody for %s',
    (signature) => {
      expect(recoverSigner('hello', signature)).toBeUndefined();
    },
  );

  it('takes the bytes of the text, not its letters, for its length', () => {
    const inBytes = recoverSigner('héllo', HELLO);
    expect(inBytes).not.toBe(recoverSigner('hello', HELLO));
  });
});

describe('isWellFormedSignature', () => {
  it.each(['00', '01', '1b', '1c', '1B', '1C'])('takes a v of %s', (v) => {
    expect(isWellFormedSignature(`0x${'aB'.repeat(64)}${v}`)).toBe(true);
  });

  it.each([
    '',
    '0x',
    `0x${'11'.repeat(64)}`,
    `0x${'11'.repeat(64)}02`,
    `0x${'11'.repeat(64)}1d`,
    `${HELLO} `,
    `${HELLO}\n`,
    HELLO.slice(2),
  ])('refuses %j', (signature) => {
    expect(isWellFormedSignature(signature)).toBe(false);
  });
});

describe('an Ethereum address', () => {
  it.each([JUNK.ethereum, ABANDON.ethereum])('%s is one, also in one case', (address) => {
    const upper = `0x${address.slice(2).toUpperCase()}`;
    expect([address, address.toLowerCase(), upper].map(isWalletAddress)).toEqual([true, true, true]);
  });

  it.each([JUNK.ethereum, ABANDON.ethereum])('%s is the checksummed form of its lower case', (address) => {
    expect(checksumAddress(address.toLowerCase())).toBe(address);
  });

  it('is none with any one letter of the checksum turned', () => {
    const turned = Array.from(JUNK.ethereum).flatMap((email, i) => {
      const other = email === email.toLowerCase() ? email.toUpperCase() : email.toLowerCase();
      return i < 2 || other === email ? [] : [JUNK.ethereum.slice(0, i) + other + JUNK.ethereum.slice(i + 1)];
    });
    expect(turned.filter(isWalletAddress)).toEqual([]);
  });
});

describe('an SS58 address', () => {
  it('is refused in its second spelling, whose network takes two bytes', () => {
    expect(isSubstrateAddress('Zp4xzgdpRdPyUhFG7koRKj1rTcHimGYDkcgo6sfCGKmfo6TNb')).toBe(false);
  });

  it.each([JUNK.substrate, ABANDON.substrate])('%s is one', (address) => {
    expect(isSubstrateAddress(address)).toBe(true);
  });

  it('is none with any one letter changed', () => {
    const changed = Array.from(JUNK.substrate).map((email, i) => {
      const other = email === 'z' ? 'y' : 'z';
      return JUNK.substrate.slice(0, i) + other + JUNK.substrate.slice(i + 1);
    });
    expect(changed.filter(isSubstrateAddress)).toEqual([]);
  });

  it.each([
    ['of network 0', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'],
    ['of one byte', 'F7Hs'],
    ['of eight bytes', '25GUyv'],
    ['empty', ''],
  ])('is none when it is %s', (_, address) => {
    expect(isSubstrateAddress(address)).toBe(false);
  });
});

describe('provesSubstrateAddress', () => {
  it.each([
    '',
    '0x',
    'abc',
    `0x${'11'.repeat(64)}`,
    `0x01${'11'.repeat(64)}`,
    `0x${'11'.repeat(65)}`,
    `0x${'11'.repeat(66)}`,
  ])('is not convinced by %j', (signature) => {
    expect(provesSubstrateAddress('hello', signature, JUNK.substrate)).toBe(false);
  });
});

describe('a key of small order, for which everybody can sign', () => {
  // All points of order 1, 2, 4 and 8 in each of their forms.
  const KEYS = [
    `01${'00'.repeat(31)}`,
    `01${'00'.repeat(30)}80`,
    `ee${'ff'.repeat(30)}7f`,
    'ee'.padEnd(64, 'f'),
    '00'.repeat(32),
    '80'.padStart(64, '0'),
    `ed${'ff'.repeat(30)}7f`,
    'ed'.padEnd(64, 'f'),
    `ec${'ff'.repeat(30)}7f`,
    'ec'.padEnd(64, 'f'),
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  ];

  it.each(KEYS)('%s proves nothing', (key) => {
    const address = encodeAddress(hexToBytes(key), 42);
    const forged = KEYS.flatMap((r) => [`0x${r}${'00'.repeat(32)}`, `0x${r}${'00'.repeat(31)}80`]);
    const messages = Array.from({ length: 4 }, (_, i) => `${i}`);
    expect(messages.flatMap((text) => forged.filter((each) => provesSubstrateAddress(text, each, address)))).toEqual(
      [],
    );
  });
});

describe('challengeMessage', () => {
  const challenge = {
    publicUrl: 'https://cloud.example:8443',
    ethereumAddress: JUNK.ethereum.toLowerCase(),
    substrateAddress: JUNK.substrate,
    nonce: '0123456789abcdef',
    issuedAt: new Date('2026-01-02T03:04:05.678Z'),
    expiresAt: new Date('2026-01-02T03:09:05.678Z'),
  };
  const message = challengeMessage({ ...challenge, linkTo: undefined });
  const linking = challengeMessage({ ...challenge, linkTo: 'google-1f' });

  it('is the text of EIP-4361 to the letter', () => {
    expect(message).toMatch(
      /^cloud\.example:8443 wants you to sign in with your Ethereum account:\n0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\n[^\n]+\n\nURI: https:\/\/cloud\.example:8443\nVersion: 1\nChain ID: 1\nNonce: 0123456789abcdef\nIssued At: 2026-01-02T03:04:05\.678Z\nExpiration Time: 2026-01-02T03:09:05\.678Z$/,
    );
  });

  it('names the SS58 address in its statement', () => {
    expect(message.split('\n')[3]).toContain(JUNK.substrate);
  });

  it('says to which account a wallet is linked, and differs from a sign-in in nothing else', () => {
    const [signIn, link] = [message, linking].map((text) => text.split('\n'));
    expect(link?.[3]).toMatch(new RegExp(`^Link this wallet .*${JUNK.substrate}.* google-1f`));
    expect(link?.toSpliced(3, 1)).toEqual(signIn?.toSpliced(3, 1));
  });
});
