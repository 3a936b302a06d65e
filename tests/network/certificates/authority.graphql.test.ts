import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import {
  certificatesIn,
  readCertificate,
  requestCertificate,
  signInWithCredits,
} from '../../kit/network/certificate.js';
import { tenantOf } from '../../kit/network/graph.js';
import { configurationOf, enrolledMachine } from '../../kit/network/network.js';
import { codeOf, graphql, type Json } from '../../kit/platform.js';
import { setRoles, signIn, signInWithNetwork, type SignedIn } from '../../kit/accounts/wallet.js';

const rotate = ({ token }: { readonly token: string }, args = ''): Promise<Json> =>
  graphql(`mutation { rotateNetworkAuthority${args} { generation state signsFrom trustedUntil fingerprint } }`, {
    token,
  });
const authoritiesOf = async ({ token }: SignedIn): Promise<Json> =>
  (await graphql('{ networkAuthorities { generation state } }', { token })).data.networkAuthorities;

describe('rotateNetworkAuthority', () => {
  it('makes another authority, and every configuration has both', async () => {
    const user = await signInWithCredits();
    const { body: before } = await requestCertificate(user);
    const machine = await enrolledMachine(user);
    expect(certificatesIn(parse((await configurationOf(machine.token)).text).pki.ca)).toHaveLength(1);
    const { data } = await rotate(user);
    expect(data.rotateNetworkAuthority).toMatchObject([
      { generation: 2, state: 'announced' },
      { generation: 1, state: 'signing' },
    ]);
    const [next, old] = data.rotateNetworkAuthority;
    expect(Date.parse(old.trustedUntil) - Date.parse(next.signsFrom)).toBe(30 * 86_400_000);
    const { body: after } = await readCertificate(user);
    const machines = parse((await configurationOf(machine.token)).text).pki.ca;
    expect([certificatesIn(after.ca), certificatesIn(machines)].map(({ length }) => length)).toEqual([2, 2]);
    expect(parse(after.config).pki.ca).toBe(after.ca);
    expect([after.cert, certificatesIn(after.ca)[0]]).toEqual([before.cert, certificatesIn(before.ca)[0]]);
  });

  it('refuses another one while two overlap', async () => {
    const user = await signInWithCredits();
    await requestCertificate(user);
    await rotate(user);
    expect(codeOf(await rotate(user))).toBe('CONFLICT');
    expect(await authoritiesOf(user)).toHaveLength(2);
  });

  it('makes the first, which signs at once, where there is none', async () => {
    const user = await signInWithNetwork();
    expect(await authoritiesOf(user)).toEqual([]);
    await rotate(user);
    expect(await authoritiesOf(user)).toEqual([{ generation: 1, state: 'signing' }]);
  });

  it.each([0, -1, 8_761])('refuses an overlap of %d hours', async (hours) => {
    const user = await signInWithNetwork();
    expect(codeOf(await rotate(user, `(overlapHours: ${hours})`))).toBe('BAD_REQUEST');
    expect(await authoritiesOf(user)).toEqual([]);
  });

  it('refuses who has no network yet, and who is not signed in', async () => {
    expect(codeOf(await rotate(await signIn()))).toBe('FORBIDDEN');
    expect(codeOf(await graphql('mutation { rotateNetworkAuthority { state } }'))).toBe('UNAUTHENTICATED');
  });

  it('is for the owner and for administrators: to others there is no such network', async () => {
    const [owner, other] = [await signInWithNetwork(), await signInWithNetwork()];
    const { id } = await tenantOf(owner);
    expect(codeOf(await rotate(other, `(tenantId: ${id})`))).toBe('NOT_FOUND');
    expect(codeOf(await rotate(other, '(tenantId: 2147483647)'))).toBe('NOT_FOUND');
    expect(await authoritiesOf(owner)).toEqual([]);
    await setRoles(other.substrateAddress, ['ADMIN']);
    expect((await rotate(other, `(tenantId: ${id})`)).data.rotateNetworkAuthority).toHaveLength(1);
    expect(await authoritiesOf(owner)).toHaveLength(1);
    expect((await rotate(owner, `(tenantId: ${id}, overlapHours: 1)`)).data.rotateNetworkAuthority).toHaveLength(2);
  });
});

describe('what is for the platform itself', () => {
  it.each([
    'mutation { certifyHolder(userId: 1, reference: "a", label: "a", publicKey: "a", keyNumber: 1, renews: true) }',
    'mutation { endHolder(userId: 1, reference: "a") }',
    '{ holderTerms(references: []) { reference } }',
    '{ holderCertificates(userId: 1, reference: "a", keyFile: "a") { ip } }',
  ])('is not in the schema: %s', async (query) => {
    const { errors } = await graphql(query, { token: (await signIn()).token });
    expect(errors[0].message).toMatch(/Cannot query field/);
  });
});
