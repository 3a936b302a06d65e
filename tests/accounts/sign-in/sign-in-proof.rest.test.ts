import { encodeAddress } from '@polkadot/util-crypto';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from '@jest/globals';
import { asAdmin, call, type Reply } from '../../kit/platform.js';
import { newSubstrateKey, signInWithProof, type SubstrateKey } from '../../kit/accounts/substrate-key.js';
import { challengeFor, grant, newWallet, personalSign, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { TestSocket } from '../../kit/socket.js';
import { folderHash } from '../../kit/rest/rest-checks.js';

/** A wallet that only claims the address, and another one that proves it afterwards. */
async function displaced(): Promise<{ claimant: SignedIn; prover: Reply; key: SubstrateKey }> {
  const key = newSubstrateKey();
  const claimant = await signIn(newWallet(key.substrateAddress));
  await grant(claimant, '7');
  const label = 'kept';
  await call('POST /register_folder', {
    token: claimant.token,
    body: { ss58_address: key.substrateAddress, folder_hash: await folderHash(label), label },
  });
  return { claimant, prover: await signInWithProof(newWallet(key.substrateAddress), key.sign), key };
}

describe('a substrate_signature', () => {
  it.each([
    ['sr25519', 'raw', (message: string) => message],
    ['sr25519', 'wrapped', (message: string) => `<Bytes>${message}</Bytes>`],
    ['ed25519', 'raw', (message: string) => message],
    ['ed25519', 'wrapped', (message: string) => `<Bytes>${message}</Bytes>`],
    ['ecdsa', 'raw', (message: string) => message],
    ['ecdsa', 'wrapped', (message: string) => `<Bytes>${message}</Bytes>`],
  ] as const)('of %s over the %s message displaces an unproved claim', async (scheme, _, textOf) => {
    const key = newSubstrateKey(scheme);
    await signIn(newWallet(key.substrateAddress));
    const { status, body } = await signInWithProof(newWallet(key.substrateAddress), (message) =>
      key.sign(textOf(message)),
    );
    expect({ status, address: body.substrate_address }).toEqual({ status: 200, address: key.substrateAddress });
  });

  it.each([
    ['27 or 28', (bytes: Uint8Array) => [...bytes.slice(0, 64), (bytes[64] ?? 0) + 27]],
    ['0 or 1', (bytes: Uint8Array) => [...bytes]],
    ['0 or 1 behind the type of ecdsa', (bytes: Uint8Array) => [2, ...bytes]],
    ['27 or 28 behind the type of ecdsa', (bytes: Uint8Array) => [2, ...bytes.slice(0, 64), (bytes[64] ?? 0) + 27]],
  ])('of ecdsa may have a v of %s', async (_, shape) => {
    const key = newSubstrateKey('ecdsa');
    const { status } = await signInWithProof(
      newWallet(key.substrateAddress),
      (message) => `0x${bytesToHex(Uint8Array.from(shape(hexToBytes(key.sign(message).slice(2)))))}`,
    );
    expect(status).toBe(200);
  });

  it.each([2, 26, 29, 255])('of ecdsa with a v of %i is wrong: 401', async (v) => {
    const key = newSubstrateKey('ecdsa');
    const { status } = await signInWithProof(
      newWallet(key.substrateAddress),
      (message) => `${key.sign(message).slice(0, -2)}${v.toString(16).padStart(2, '0')}`,
    );
    expect(status).toBe(401);
  });

  it.each([
    ['by another key', (message: string) => newSubstrateKey().sign(message)],
    ['over another text', (message: string) => newSubstrateKey().sign(`${message}.`)],
    ['of nobody', () => `0x${'11'.repeat(64)}`],
  ])('%s is well formed but wrong: 401', async (_, proofOf) => {
    const { status, body } = await signInWithProof(newWallet(), proofOf);
    expect({ status, body }).toEqual({ status: 401, body: { error: expect.any(String) } });
  });

  it.each([`01${'00'.repeat(31)}`, `ee${'ff'.repeat(30)}7f`])(
    'for the key %s, which nobody holds: 401',
    async (key) => {
      const wallet = newWallet(encodeAddress(hexToBytes(key), 42));
      expect((await signInWithProof(wallet, () => `0x01${'00'.repeat(63)}`)).status).toBe(401);
    },
  );

  it.each([
    ['no hex', 'certainly'],
    ['without 0x', '11'.repeat(64)],
    ['too short', `0x${'11'.repeat(63)}`],
    ['too long', `0x${'11'.repeat(80)}`],
    ['a number', 7],
    ['an array', ['0x']],
  ])('that is %s is malformed: 400', async (_, proof) => {
    const { status, body } = await signInWithProof(newWallet(), () => proof);
    expect({ status, body }).toEqual({ status: 400, body: { error: expect.any(String) } });
  });
});

describe('a wallet that has proved its address', () => {
  it('that is wrong does not burn the challenge', async () => {
    const wallet = newWallet();
    const { challenge, message } = await challengeFor(wallet);
    const answer = {
      address: wallet.address,
      substrate_address: wallet.substrateAddress,
      challenge,
      signature: personalSign(wallet, message),
    };
    await call('POST /api/auth/verify/', { body: { ...answer, substrate_signature: `0x${'11'.repeat(64)}` } });
    const { status } = await call('POST /api/auth/verify/', { body: answer });
    expect(status).toBe(200);
  });

  it('is not needed again by the wallet that proved', async () => {
    const key = newSubstrateKey();
    const wallet = newWallet(key.substrateAddress);
    await signInWithProof(wallet, key.sign);
    const { status, body } = await signInWithProof(wallet, () => undefined);
    expect({ status, isNew: body.is_new }).toEqual({ status: 200, isNew: false });
  });

  it('keeps the address from a later claim', async () => {
    const key = newSubstrateKey();
    await signInWithProof(newWallet(key.substrateAddress), key.sign);
    const { status } = await signInWithProof(newWallet(key.substrateAddress), () => undefined);
    expect(status).toBe(401);
  });

  it('of the claimant turns the claim into a proof', async () => {
    const key = newSubstrateKey();
    const wallet = newWallet(key.substrateAddress);
    const claimed = await signIn(wallet);
    const { body } = await signInWithProof(wallet, key.sign);
    expect(body).toMatchObject({ user_id: claimed.userId, is_new: false });
  });
});

describe('a claimant whose address another has proved', () => {
  it('keeps the account and its token', async () => {
    const { claimant } = await displaced();
    const { body } = await call('POST /api/auth/verify-token/', { body: { token: claimant.token } });
    expect(body).toMatchObject({ valid: true, user_id: claimant.userId, substrate_address: null });
  });

  it('keeps the credits', async () => {
    const { claimant } = await displaced();
    const { body } = await call('GET /api/billing/credits/balance/', { token: claimant.token });
    expect(body).toEqual({ balance: '7', last_updated: expect.any(String) });
  });

  it('hands no credits to the one who proved', async () => {
    const { prover } = await displaced();
    const { body } = await call('GET /api/billing/credits/balance/', { token: prover.body.token });
    expect(body.balance).toBe('0');
  });
});

describe('a socket opened under a claimed address', () => {
  it('is closed with 1012 once another wallet has proved the address', async () => {
    const key = newSubstrateKey();
    const claimant = await signIn(newWallet(key.substrateAddress));
    const socket = await TestSocket.open(claimant.token);
    await signInWithProof(newWallet(key.substrateAddress), key.sign);
    expect(await socket.closing()).toMatchObject({ code: 1012 });
  });
});

describe('an address that another has proved', () => {
  it('loses the folders, which belong to the address', async () => {
    const { claimant, key } = await displaced();
    const { status } = await call(`GET /list_folders/${key.substrateAddress}`, { token: claimant.token });
    expect(status).toBe(403);
  });

  it('leaves the folders to the one who proved', async () => {
    const { prover, key } = await displaced();
    const { body } = await call(`GET /list_folders/${key.substrateAddress}`, { token: prover.body.token });
    expect(body.Success.folders).toMatchObject([{ label: 'kept' }]);
  });

  it('is refused with 401 when it claims the address again', async () => {
    const { claimant } = await displaced();
    const { status } = await signInWithProof(claimant.wallet, () => undefined);
    expect(status).toBe(401);
  });

  it('can claim another address', async () => {
    const { claimant } = await displaced();
    const { substrateAddress } = newWallet();
    const { body } = await signInWithProof({ ...claimant.wallet, substrateAddress }, () => undefined);
    expect(body).toMatchObject({ user_id: claimant.userId, substrate_address: substrateAddress });
  });

  it('is no longer whom an administrator finds under the address', async () => {
    const { claimant, prover, key } = await displaced();
    const { user } = await asAdmin('query ($of: String!) { user(substrateAddress: $of) { id } }', {
      of: key.substrateAddress,
    });
    expect({ found: user.id, claimant: claimant.userId }).toEqual({
      found: prover.body.user_id,
      claimant: expect.any(Number),
    });
  });
});
