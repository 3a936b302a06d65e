import { describe, expect, it } from '@jest/globals';
import { encodeAddress, keyExtractPath, keyFromPath, sr25519PairFromSeed } from '@polkadot/util-crypto';
import { HDNodeWallet } from 'ethers';
import { evmAddress, readEvmKey } from '../../../../subgraphs/accounts/payments/chain/evm-address.rules.js';
import { substrateAddress } from '../../../../subgraphs/accounts/payments/chain/substrate-address.rules.js';
import { fromBaseUnits, toBaseUnits } from '../../../../subgraphs/accounts/payments/chain/token.rules.js';
import {
  amountFault,
  paymentValue,
  usdText,
  wholeCredits,
  type PaymentState,
} from '../../../../subgraphs/accounts/payments/deposit/deposit.rules.js';

/** Source: BIP-32, test vector 1, chain m */
const VECTOR = {
  private:
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
  public:
    'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
};

const INDICES = [0, 1, 255, 65_536, 2_147_483_647];

describe('an address for USDC and USDT', () => {
  it.each(INDICES)('of index %i is the one that the private key derives', (index) => {
    const key = readEvmKey(VECTOR.public);
    const child = HDNodeWallet.fromExtendedKey(VECTOR.private).derivePath(`0/${index}`);
    expect(key && evmAddress(key, index)).toBe(child.address);
  });

  it.each([
    ['a private key', VECTOR.private],
    ['a broken checksum', `${VECTOR.public.slice(0, -1)}9`],
    ['nothing of the kind', 'xpub'],
  ])('is not derived from %s', (_, key) => {
    expect(readEvmKey(key)).toBeUndefined();
  });
});

describe('an address for TAO', () => {
  const pair = sr25519PairFromSeed(new Uint8Array(32).fill(3));
  const publicKey = `0x${Buffer.from(pair.publicKey).toString('hex')}`;

  it.each(INDICES)('of index %i is the one that the private key derives', (index) => {
    const child = keyFromPath(pair, keyExtractPath(`/${index}`).path, 'sr25519');
    expect(substrateAddress(publicKey, index)).toBe(encodeAddress(child.publicKey, 42));
  });
});

describe('base units', () => {
  it.each([
    ['20', 6, 20_000_000n],
    ['20.5', 6, 20_500_000n],
    ['0.000001', 6, 1n],
    ['1.5000000', 6, 1_500_000n],
    ['0.1', 9, 100_000_000n],
    ['99999999999999999999', 6, 99999999999999999999000000n],
    ['0.0000001', 6, undefined],
    ['-1', 6, undefined],
    ['1e3', 6, undefined],
  ])('of %s with %i places are %s', (amount, places, units) => {
    expect(toBaseUnits(amount, places)).toBe(units);
  });

  it.each([
    [0n, '0'],
    [1n, '0.000001'],
    [20_500_000n, '20.5'],
    [25_000_000n, '25'],
  ])('%s are written as %s', (units, text) => {
    expect(fromBaseUnits(units, 6)).toBe(text);
  });
});

describe('an amount in TAO', () => {
  it.each([
    [50_000_000n, '400', undefined],
    [49_999_999n, '400', 'at least 20 USD'],
    // 0.05 TAO at a price one 10^-18 below 400
    [50_000_000n, '399.999999999999999999', 'at least 20 USD'],
    [2_500_000_000_000n, '400', undefined],
    [2_500_000_000_001n, '400', 'at most 1000000 USD'],
    [undefined, '400', 'decimal places'],
  ])('of %s base units at %s USD is answered %s', (units, price, fault) => {
    const answer = amountFault(units, 'TAO', price);
    if (fault === undefined) expect(answer).toBeUndefined();
    else expect(answer).toContain(fault);
  });
});

describe('the value of a payment', () => {
  const asked: PaymentState = {
    token: 'TAO',
    amount: 100_000_000n,
    received: 0n,
    expected: 100_000_000n,
    quotedPrice: '400',
    quotedUntil: new Date('2026-11-21T12:00:00Z'),
    paidAt: new Date('2026-11-21T11:59:59Z'),
    currentPrice: '300',
  };
  const late = new Date('2026-11-21T12:00:01Z');

  it.each([
    ['as asked for', {}, '40'],
    ['as asked for while nobody knows the price', { currentPrice: undefined }, '40'],
    ['too late', { paidAt: late }, '30'],
    ['too late while nobody knows the price', { paidAt: late, currentPrice: undefined }, undefined],
    ['too much', { amount: 200_000_000n }, '70'],
    ['the rest of what was asked for, and more', { received: 60_000_000n }, '34'],
    ['after all was paid', { received: 100_000_000n }, '30'],
    ['of a stable token', { token: 'USDC', amount: 25_500_000n, paidAt: late, currentPrice: undefined }, '25.5'],
  ] satisfies [string, Partial<PaymentState>, string | undefined][])('%s', (_, facts, value) => {
    const answer = paymentValue({ ...asked, ...facts });
    expect(answer === undefined ? undefined : usdText(answer)).toBe(value);
  });

  it('shows whole credits, rounded down', () => {
    expect([wholeCredits(25_999_999_999_999_999_999n), wholeCredits(999n)]).toEqual([25, 0]);
  });
});
