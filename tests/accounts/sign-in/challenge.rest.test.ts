import { encodeAddress } from '@polkadot/util-crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { hexToBytes } from '@noble/hashes/utils.js';
import { call, type Json } from '../../kit/platform.js';
import { challengeFor, newWallet, personalSign, type Wallet } from '../../kit/accounts/wallet.js';
import { fieldsOf } from '../../kit/rest/rest-checks.js';

/** Of the first account of vectors.json, m/44'/60'/0'/0/0 of the phrase that ends in `junk`. */
const JUNK_KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const JUNK_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const JUNK_SUBSTRATE_ADDRESS = '5GmS1wtCfR4tK5SSgnZbVT4kYw5W8NmxmijcsxCQE6oLW6A8';
const ABANDON_ADDRESS = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
const ABANDON_SUBSTRATE_ADDRESS = '5EPCUjPxiHAcNooYipQFWr9NmmXJKpNG5RhcntXwbtUySrgH';

let wallet: Wallet;
beforeEach(() => {
  wallet = newWallet();
});

function ask(body: object): ReturnType<typeof call> {
  return call('POST /api/auth/mnemonic/', { body });
}

describe('a client that asks on and on for somebody’s pair', () => {
  it('does not lock them out, also when they name no challenge', async () => {
    const { message } = await challengeFor(wallet);
    for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 15 }, () => challengeFor(wallet)));
    const later = await challengeFor(wallet);
    for (const text of [message, later.message]) {
      const { address, substrateAddress: substrate_address } = wallet;
      const body = { address, substrate_address, signature: personalSign(wallet, text) };
      expect((await call('POST /api/auth/verify/', { body })).status).toBe(200);
    }
  });
});

describe('POST /auth/mnemonic/', () => {
  it('answers the documented fields', async () => {
    const body = await challengeFor(wallet);
    expect(body).toEqual({ challenge: expect.any(String), message: expect.any(String), expires_in: 300 });
  });

  it('gives a message that names the SS58 address', async () => {
    const { message } = await challengeFor(wallet);
    expect(message).toContain(wallet.substrateAddress);
  });

  it.each([
    ['its domain', /^\S+ wants you to sign in with your Ethereum account:\n/],
    ['the checksummed address', /\n0x[0-9a-fA-F]{40}\n/],
    ['its URI', /\nURI: https?:\/\/\S+\n/],
    ['its version', /\nVersion: 1\n/],
    ['its chain', /\nChain ID: \d+\n/],
    ['a nonce', /\nNonce: [0-9A-Za-z]{8,}\n/],
    ['when it was issued', /\nIssued At: \d{4}-\d\d-\d\dT\S+\n/],
    ['when it expires', /\nExpiration Time: \d{4}-\d\d-\d\dT\S+$/],
  ])('gives an EIP-4361 message that names %s', async (_, line) => {
    const { message } = await challengeFor(wallet);
    expect(message).toMatch(line);
  });

  it('gives another challenge each time', async () => {
    const [first, second] = [await challengeFor(wallet), await challengeFor(wallet)];
    expect(second.challenge).not.toBe(first.challenge);
  });

  it('gives the newest again after 20 of the pair', async () => {
    const given: string[] = [];
    for (let count = 0; count < 22; count++) given.push((await challengeFor(wallet)).challenge);
    expect([new Set(given).size, given.slice(20)]).toEqual([20, [given[19], given[19]]]);
  });
});

describe('the Ethereum address of a challenge', () => {
  it.each([
    ['checksummed', JUNK_ADDRESS, JUNK_SUBSTRATE_ADDRESS],
    ['lower-case', JUNK_ADDRESS.toLowerCase(), JUNK_SUBSTRATE_ADDRESS],
    ['checksummed', ABANDON_ADDRESS, ABANDON_SUBSTRATE_ADDRESS],
    ['lower-case', ABANDON_ADDRESS.toLowerCase(), ABANDON_SUBSTRATE_ADDRESS],
  ])('takes the %s address %s of the known answers', async (_, address, substrate_address) => {
    const { status } = await ask({ address, substrate_address });
    expect(status).toBe(200);
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['a number', 7],
    ['an object', {}],
    ['without 0x', JUNK_ADDRESS.slice(2)],
    ['a digit short', JUNK_ADDRESS.slice(0, -1)],
    ['a digit long', `${JUNK_ADDRESS}0`],
    ['no hex', `0x${'z'.repeat(40)}`],
    ['with a wrong checksum', JUNK_ADDRESS.replace('Fd6', 'fD6')],
    ['followed by a newline', `${JUNK_ADDRESS}\n`],
    ['followed by U+0000', `${JUNK_ADDRESS}\0`],
  ])('refuses with 400 an Ethereum address that is %s', async (_, address) => {
    const { status, body } = await ask({ address, substrate_address: JUNK_SUBSTRATE_ADDRESS });
    expect({ status, fields: fieldsOf(body) }).toEqual({ status: 400, fields: ['error'] });
  });
});

describe('the SS58 address of a challenge', () => {
  it.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['a number', 7],
    ['of network 0', encodeAddress(new Uint8Array(32).fill(7), 0)],
    ['of network 2', encodeAddress(new Uint8Array(32).fill(7), 2)],
    ['with a wrong checksum', JUNK_SUBSTRATE_ADDRESS.replace('5Gm', '5Gn')],
    ['a letter short', JUNK_SUBSTRATE_ADDRESS.slice(0, -1)],
    ['a public key in hex', `0x${'07'.repeat(32)}`],
    ['an index of 8 bytes', encodeAddress(new Uint8Array(8).fill(7), 42)],
    ['no base58', `0${JUNK_SUBSTRATE_ADDRESS.slice(1)}`],
    ['preceded by a blank', ` ${JUNK_SUBSTRATE_ADDRESS}`],
    ['ten thousand letters', '5'.repeat(10_000)],
  ])('refuses with 400 an SS58 address that is %s', async (_, substrate_address) => {
    const { status, body } = await ask({ address: JUNK_ADDRESS, substrate_address });
    expect({ status, fields: fieldsOf(body) }).toEqual({ status: 400, fields: ['error'] });
  });

  it('ignores fields it does not know', async () => {
    const { address, substrateAddress: substrate_address } = wallet;
    const { status } = await ask({ address, substrate_address, chain: 1, session: null });
    expect(status).toBe(200);
  });
});

describe('the letters of an Ethereum address', () => {
  const junk: Wallet = {
    secretKey: hexToBytes(JUNK_KEY),
    address: JUNK_ADDRESS,
    substrateAddress: JUNK_SUBSTRATE_ADDRESS,
  };
  const signInAs = async (asked: string, verified: string): Promise<Json> => {
    const { challenge, message } = await challengeFor({ ...junk, address: asked });
    const { body } = await call('POST /api/auth/verify/', {
      body: {
        address: verified,
        substrate_address: junk.substrateAddress,
        challenge,
        signature: personalSign(junk, message),
      },
    });
    return body;
  };

  it('may differ between challenge and answer', async () => {
    const body = await signInAs(JUNK_ADDRESS, JUNK_ADDRESS.toLowerCase());
    expect(body.substrate_address).toBe(JUNK_SUBSTRATE_ADDRESS);
  });

  it('do not make another account', async () => {
    const first = await signInAs(JUNK_ADDRESS, JUNK_ADDRESS);
    const second = await signInAs(JUNK_ADDRESS.toLowerCase(), JUNK_ADDRESS.toLowerCase());
    expect(second.user_id).toBe(first.user_id);
  });
});

describe('the known answer of personal_sign', () => {
  it('is what wallets of these tests make', () => {
    const signature = personalSign({ ...wallet, secretKey: hexToBytes(JUNK_KEY) }, 'hello');
    expect(signature).toBe(
      '0xf16ea9a3478698f695fd1401bfe27e9e4a7e8e3da94aa72b021125e31fa899cc573c48ea3fe1d4ab61a9db10c19032026e3ed2dbccba5a178235ac27f94504311c',
    );
  });
});
