import { beforeAll, describe, expect, it } from '@jest/globals';
import { asAdmin, codeOf, graphql, type Json } from '../../kit/platform.js';
import { notificationsOf } from '../../kit/accounts/notice.js';
import { newSubstrateKey, signInWithProof } from '../../kit/accounts/substrate-key.js';
import { newWallet, setRoles, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const USER = 'query ($of: String!) { user(substrateAddress: $of) { id roles isAddressVerified } }';
const userAt = async (of: string): Promise<Json> => (await asAdmin(USER, { of })).user;
const me = async (token: string): Promise<Json> =>
  (await graphql('{ me { roles substrateAddress } }', { token })).data.me;

let administrator: SignedIn;
beforeAll(async () => {
  administrator = await signIn();
  await setRoles(administrator.substrateAddress, ['ADMIN']);
});

/** A wallet that claims an address, gets roles under it, and is displaced by the wallet that proves it. */
async function displacedWithRoles(roles: readonly string[]) {
  const key = newSubstrateKey();
  const claimant = await signIn(newWallet(key.substrateAddress));
  await setRoles(key.substrateAddress, roles);
  const before = await userAt(key.substrateAddress);
  const prover = await signInWithProof(newWallet(key.substrateAddress), key.sign);
  return { claimant, before, prover, address: key.substrateAddress };
}

const noticesAbout = async (address: string): Promise<Json[]> =>
  (await notificationsOf(administrator, '(first: 200)')).results.filter(({ text }: Json) => text.includes(address));

describe('roles granted under an address that was only claimed', () => {
  it('do not stay with the claimant when another wallet proves the address', async () => {
    const { claimant, prover } = await displacedWithRoles(['ADMIN']);
    const asked = await graphql('{ users { results { id } } }', { token: claimant.token });
    expect({
      claimant: await me(claimant.token),
      users: codeOf(asked),
      prover: (await me(prover.body.token)).roles,
    }).toEqual({
      claimant: { roles: [], substrateAddress: null },
      users: 'FORBIDDEN',
      prover: [],
    });
  });

  it('do not stay with a session of the claimant', async () => {
    const key = newSubstrateKey();
    const claimant = await signIn(newWallet(key.substrateAddress));
    await setRoles(key.substrateAddress, ['ADMIN']);
    const { data } = await graphql('mutation { issueMasterToken { accessToken } }', { token: claimant.token });
    const token: string = data.issueMasterToken.accessToken;
    const list = async () => codeOf(await graphql('{ users { results { id } } }', { token }));
    const before = await list();
    await signInWithProof(newWallet(key.substrateAddress), key.sign);
    expect([before, await list()]).toEqual([undefined, 'FORBIDDEN']);
  });

  it('are reported to the administrators and to the claimant when they end', async () => {
    const { claimant, address } = await displacedWithRoles(['VALIDATOR', 'BETA']);
    const [own] = (await notificationsOf(claimant)).results;
    expect({ own: own.text, administrators: await noticesAbout(address) }).toEqual({
      own: expect.stringContaining('VALIDATOR, BETA'),
      administrators: [expect.objectContaining({ kind: 'account', text: expect.stringContaining('VALIDATOR, BETA') })],
    });
  });

  it('that were none are not reported to the administrators', async () => {
    const { address } = await displacedWithRoles([]);
    expect(await noticesAbout(address)).toEqual([]);
  });
});

describe('an administrator', () => {
  it('sees whether the address of a user is proved', async () => {
    const { before, address } = await displacedWithRoles([]);
    expect([before.isAddressVerified, (await userAt(address)).isAddressVerified]).toEqual([false, true]);
  });
});
