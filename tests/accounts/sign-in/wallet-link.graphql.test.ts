import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { codeOf, graphql, type Json } from '../../kit/platform.js';
import { codeFor, exchange } from '../../kit/accounts/social.js';
import { newSubstrateKey, signInWithProof } from '../../kit/accounts/substrate-key.js';
import { newWallet, personalSign, serviceToken, signIn, type Wallet } from '../../kit/accounts/wallet.js';

/** A new user of a social sign-in, who has no wallet. */
async function socialUser(): Promise<{ readonly token: string; readonly id: number; readonly username: string }> {
  const { body } = await exchange({ code: await codeFor(randomUUID()) });
  return { token: body.token, id: body.user.id, username: body.user.username };
}

const CHALLENGE = `mutation ($address: String!, $substrateAddress: String!) {
  createWalletLinkChallenge(address: $address, substrateAddress: $substrateAddress) { challenge message expiresIn } }`;
const LINK = `mutation ($address: String!, $substrateAddress: String!, $challenge: String!, $signature: String!, $proof: String) {
  linkWallet(address: $address, substrateAddress: $substrateAddress, challenge: $challenge, signature: $signature,
             substrateSignature: $proof) { id username substrateAddress isAddressVerified } }`;

const pairOf = ({ address, substrateAddress }: Wallet) => ({ address, substrateAddress });
const challenge = (token: string, wallet: Wallet): Promise<Json> =>
  graphql(CHALLENGE, { token, variables: pairOf(wallet) });

/** Answers a challenge of the wallet for the user. */
async function link(token: string, wallet: Wallet, proofOf?: (message: string) => string): Promise<Json> {
  const { data, errors } = await challenge(token, wallet);
  if (errors) return { errors };
  return answer(token, wallet, data.createWalletLinkChallenge, proofOf);
}

function answer(
  token: string,
  wallet: Wallet,
  { challenge: id, message }: Json,
  proofOf?: (message: string) => string,
): Promise<Json> {
  const signature = personalSign(wallet, message);
  const variables = { ...pairOf(wallet), challenge: id, signature, proof: proofOf?.(message) };
  return graphql(LINK, { token, variables });
}

describe('a user without a wallet', () => {
  it('links one, and has its SS58 address by the token it already has', async () => {
    const { token, id, username } = await socialUser();
    const wallet = newWallet();
    const { data } = await link(token, wallet);
    const { data: after } = await graphql('{ me { substrateAddress } }', { token });
    expect([data.linkWallet, after.me]).toEqual([
      { id, username, substrateAddress: wallet.substrateAddress, isAddressVerified: false },
      { substrateAddress: wallet.substrateAddress },
    ]);
  });

  it('can then sign in to the same account with the wallet', async () => {
    const { token, id } = await socialUser();
    const wallet = newWallet();
    await link(token, wallet);
    expect((await signIn(wallet)).userId).toBe(id);
  });

  it('proves the SS58 address, also against a wallet that only claims it', async () => {
    const { token } = await socialUser();
    const key = newSubstrateKey();
    const claimant = await signIn(newWallet(key.substrateAddress));
    const { data } = await link(token, newWallet(key.substrateAddress), key.sign);
    const { data: other } = await graphql('{ me { substrateAddress } }', { token: claimant.token });
    expect([data.linkWallet.isAddressVerified, other.me.substrateAddress]).toEqual([true, null]);
  });

  it('gets no address that another wallet claims, without a proof', async () => {
    const { token } = await socialUser();
    const claimant = await signIn();
    expect(codeOf(await link(token, newWallet(claimant.substrateAddress)))).toBe('CONFLICT');
  });

  it('gets no address that another wallet has proved', async () => {
    const { token } = await socialUser();
    const key = newSubstrateKey();
    await signInWithProof(newWallet(key.substrateAddress), key.sign);
    expect(codeOf(await link(token, newWallet(key.substrateAddress), key.sign))).toBe('CONFLICT');
  });

  it('gets no wallet that another account has', async () => {
    const { token } = await socialUser();
    const { wallet } = await signIn();
    expect(codeOf(await link(token, { ...wallet, substrateAddress: newWallet().substrateAddress }))).toBe('CONFLICT');
  });

  it('links one wallet of ten at once', async () => {
    const { token } = await socialUser();
    const answers = await Promise.all(Array.from({ length: 10 }, () => link(token, newWallet())));
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(new Set(answers.flatMap((one) => codeOf(one) ?? []))).toEqual(new Set(['CONFLICT']));
  });
});

describe('a challenge to link a wallet', () => {
  it('names the account in the message that the wallet signs', async () => {
    const { token, username } = await socialUser();
    const { data } = await challenge(token, newWallet());
    expect(data.createWalletLinkChallenge.message).toContain(username);
  });

  it('is for the user who requested it', async () => {
    const [owner, thief] = [await socialUser(), await socialUser()];
    const wallet = newWallet();
    const { data } = await challenge(owner.token, wallet);
    expect(codeOf(await answer(thief.token, wallet, data.createWalletLinkChallenge))).toBe('UNAUTHENTICATED');
  });

  it('is no challenge of a sign-in, nor the other way round', async () => {
    const { token } = await socialUser();
    const wallet = newWallet();
    const { data } = await challenge(token, wallet);
    const { message, challenge: id } = data.createWalletLinkChallenge;
    const signInWith = `mutation ($address: String!, $substrateAddress: String!, $challenge: String!, $signature: String!) {
      signIn(address: $address, substrateAddress: $substrateAddress, challenge: $challenge, signature: $signature) { token } }`;
    const signature = personalSign(wallet, message);
    const signed = await graphql(signInWith, { variables: { ...pairOf(wallet), challenge: id, signature } });
    const request = `mutation ($address: String!, $substrateAddress: String!) {
      requestChallenge(address: $address, substrateAddress: $substrateAddress) { challenge message } }`;
    const other = (await graphql(request, { variables: pairOf(wallet) })).data.requestChallenge;
    expect([codeOf(signed), codeOf(await answer(token, wallet, other))]).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
    ]);
  });

  it('is refused a wrong signature, and works once', async () => {
    const { token } = await socialUser();
    const wallet = newWallet();
    const { data } = await challenge(token, wallet);
    const pending = data.createWalletLinkChallenge;
    const wrong = { ...newWallet(), ...pairOf(wallet) };
    const codes = [await answer(token, wrong, pending), await answer(token, wallet, pending)].map(codeOf);
    const again = codeOf(await answer(token, wallet, pending));
    expect([codes, again]).toEqual([['UNAUTHENTICATED', undefined], 'UNAUTHENTICATED']);
  });

  it('is refused to an account with a wallet, to a service and without a token', async () => {
    const answers = [
      await challenge((await signIn()).token, newWallet()),
      await challenge(await serviceToken('ADMIN'), newWallet()),
      await graphql(CHALLENGE, { variables: pairOf(newWallet()) }),
    ];
    expect(answers.map(codeOf)).toEqual(['CONFLICT', 'FORBIDDEN', 'UNAUTHENTICATED']);
  });
});
