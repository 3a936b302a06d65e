import { beforeEach, describe, expect, it } from '@jest/globals';
import { call, type Reply } from '../../kit/platform.js';
import { challengeFor, newWallet, personalSign, signIn, type Wallet } from '../../kit/accounts/wallet.js';
import { fieldsOf } from '../../kit/rest/rest-checks.js';

const UNKNOWN_CHALLENGE = '0'.repeat(32);

let wallet: Wallet;
beforeEach(() => {
  wallet = newWallet();
});

/** Answers a challenge of the wallet, the body's other fields as given. */
async function verify(fields: object = {}): Promise<Reply> {
  const { challenge, message } = await challengeFor(wallet);
  return verifyWith({ challenge, signature: personalSign(wallet, message), ...fields });
}

function verifyWith(fields: object): Promise<Reply> {
  const { address, substrateAddress: substrate_address } = wallet;
  return call('POST /api/auth/verify/', { body: { address, substrate_address, ...fields } });
}

describe('POST /auth/verify/', () => {
  it('answers the documented fields', async () => {
    const { status, body } = await verify();
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        token: expect.stringMatching(/^\S{40,}$/),
        user_id: expect.any(Number),
        username: expect.any(String),
        substrate_address: wallet.substrateAddress,
        is_new: true,
      },
    });
  });

  it('answers without its slash', async () => {
    const { challenge, message } = await challengeFor(wallet);
    const { address, substrateAddress: substrate_address } = wallet;
    const signature = personalSign(wallet, message);
    const { status } = await call('POST /api/auth/verify', {
      body: { address, substrate_address, challenge, signature },
    });
    expect(status).toBe(200);
  });

  it('knows the wallet the second time', async () => {
    const first = await verify();
    const second = await verify();
    expect(second.body).toMatchObject({ user_id: first.body.user_id, is_new: false });
  });

  it('gives each sign-in a token of its own', async () => {
    const [first, second] = [await verify(), await verify()];
    expect(second.body.token).not.toBe(first.body.token);
  });
});

describe('the optional fields of a sign-in', () => {
  it.each([
    ['a string', { referral_code: 'FRIEND-2026' }],
    ['an empty string', { referral_code: '' }],
    ['null', { referral_code: null }],
    ['absent', {}],
  ])('takes a referral code that is %s', async (_, fields) => {
    const { status } = await verify(fields);
    expect(status).toBe(200);
  });

  it('ignores fields it does not know', async () => {
    const session_data = { challenge: 'x', address: wallet.address };
    const { status } = await verify({ session_data, remember: true, substrate_signature: null });
    expect(status).toBe(200);
  });

  it.each([
    ['27 and 28', (v: number) => v],
    ['0 and 1', (v: number) => v - 27],
  ])('takes a v of %s', async (_, vOf) => {
    const { challenge, message } = await challengeFor(wallet);
    const signature = personalSign(wallet, message);
    const v = vOf(Number.parseInt(signature.slice(-2), 16));
    const { status } = await verifyWith({
      challenge,
      signature: signature.slice(0, -2) + v.toString(16).padStart(2, '0'),
    });
    expect(status).toBe(200);
  });
});

describe('a sign-in that is malformed', () => {
  it.each(['signature', 'address', 'substrate_address'])('refuses with 400 when `%s` is missing', async (field) => {
    const { status, body } = await verify({ [field]: undefined });
    expect({ status, fields: fieldsOf(body) }).toEqual({ status: 400, fields: ['error'] });
  });

  it.each(['signature', 'address', 'substrate_address'])('takes null for a missing `%s`', async (field) => {
    const { status } = await verify({ [field]: null });
    expect(status).toBe(400);
  });

  it.each([
    ['empty', ''],
    ['no hex', `0x${'zz'.repeat(65)}`],
    ['without 0x', `${'11'.repeat(64)}1b`],
    ['without v', `0x${'11'.repeat(64)}`],
    ['one byte too long', `0x${'11'.repeat(64)}1b1b`],
    ['with a v of 29', `0x${'11'.repeat(64)}1d`],
    ['with a v of 2', `0x${'11'.repeat(64)}02`],
    ['a number', 7],
    ['an array', ['0x']],
  ])('refuses with 400 a signature that is malformed: %s', async (_, signature) => {
    const { status, body } = await verify({ signature });
    expect({ status, fields: fieldsOf(body) }).toEqual({ status: 400, fields: ['error'] });
  });
});

describe('a sign-in whose signature is wrong', () => {
  it.each([
    ['is of no key at all', `0x${'00'.repeat(64)}1b`],
    ['lies outside the curve', `0x${'ff'.repeat(64)}1c`],
    ['is of nobody', `0x${'11'.repeat(64)}1b`],
  ])('refuses with 401 a well-formed signature that %s', async (_, signature) => {
    const { status, body } = await verify({ signature });
    expect({ status, fields: fieldsOf(body) }).toEqual({ status: 401, fields: ['error'] });
  });

  it("refuses with 401 another wallet's signature", async () => {
    const { challenge, message } = await challengeFor(wallet);
    const { status } = await verifyWith({ challenge, signature: personalSign(newWallet(), message) });
    expect(status).toBe(401);
  });

  it('refuses with 401 a signature of `challenge` instead of `message`', async () => {
    const { challenge } = await challengeFor(wallet);
    const { status } = await verifyWith({ challenge, signature: personalSign(wallet, challenge) });
    expect(status).toBe(401);
  });
});

describe('a challenge', () => {
  it('is not burned by a wrong signature', async () => {
    const { challenge, message } = await challengeFor(wallet);
    await verifyWith({ challenge, signature: personalSign(newWallet(), message) });
    const { status } = await verifyWith({ challenge, signature: personalSign(wallet, message) });
    expect(status).toBe(200);
  });

  it('is not burned by a malformed signature', async () => {
    const { challenge, message } = await challengeFor(wallet);
    await verifyWith({ challenge, signature: '0x12' });
    const { status } = await verifyWith({ challenge, signature: personalSign(wallet, message) });
    expect(status).toBe(200);
  });

  it('is burned by success', async () => {
    const { challenge, message } = await challengeFor(wallet);
    const answer = { challenge, signature: personalSign(wallet, message) };
    await verifyWith(answer);
    const { status, body } = await verifyWith(answer);
    expect({ status, fields: fieldsOf(body) }).toEqual({ status: 401, fields: ['error'] });
  });

  it('of another pair is refused with 401', async () => {
    const { challenge, message } = await challengeFor(newWallet());
    const { status } = await verifyWith({ challenge, signature: personalSign(wallet, message) });
    expect(status).toBe(401);
  });

  it('of the same wallet with another SS58 address is refused with 401', async () => {
    const { challenge, message } = await challengeFor({ ...wallet, substrateAddress: newWallet().substrateAddress });
    const { status } = await verifyWith({ challenge, signature: personalSign(wallet, message) });
    expect(status).toBe(401);
  });

  it('that nobody asked for is refused with 401', async () => {
    const { status } = await verify({ challenge: UNKNOWN_CHALLENGE });
    expect(status).toBe(401);
  });
});

describe('the name of a challenge', () => {
  it.each([
    ['absent', undefined],
    ['null', null],
  ])('that is %s is found by the pair of addresses', async (_, challenge) => {
    const { status } = await verify({ challenge });
    expect(status).toBe(200);
  });

  it('that is not named is the latest of the pair', async () => {
    await challengeFor(wallet);
    const { message } = await challengeFor(wallet);
    const { status } = await verifyWith({ signature: personalSign(wallet, message) });
    expect(status).toBe(200);
  });

  it('that is named may be an earlier one of the pair', async () => {
    const { challenge, message } = await challengeFor(wallet);
    await challengeFor(wallet);
    const { status } = await verifyWith({ challenge, signature: personalSign(wallet, message) });
    expect(status).toBe(200);
  });

  it('that is no string is refused with 400', async () => {
    const { status } = await verify({ challenge: { id: 1 } });
    expect(status).toBe(400);
  });
});

describe('an SS58 address that a wallet has claimed', () => {
  it('is refused with 401 to a second wallet', async () => {
    const holder = await signIn();
    wallet = newWallet(holder.substrateAddress);
    const { status, body } = await verify();
    expect({ status, fields: fieldsOf(body) }).toEqual({ status: 401, fields: ['error'] });
  });

  it('stays with its holder when a second wallet tries', async () => {
    const holder = await signIn();
    wallet = newWallet(holder.substrateAddress);
    await verify();
    const { body } = await call('POST /api/auth/verify-token/', { body: { token: holder.token } });
    expect(body.substrate_address).toBe(holder.substrateAddress);
  });

  it('leaves no account behind for the wallet that was refused', async () => {
    const holder = await signIn();
    wallet = newWallet(holder.substrateAddress);
    await verify();
    wallet = { ...wallet, substrateAddress: newWallet().substrateAddress };
    const { body } = await verify();
    expect(body.is_new).toBe(true);
  });
});
