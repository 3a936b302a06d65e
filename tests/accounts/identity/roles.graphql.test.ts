import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { asAdmin, codeOf, graphql } from '../../kit/platform.js';
import { newWallet, serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const ADDRESS = newWallet().substrateAddress;

/** Every mutation of administrators, with arguments that are in order. */
const ADMIN_MUTATIONS = {
  adminGrantCredits: `mutation { adminGrantCredits(substrateAddress: "${ADDRESS}", credits: "1", reason: "x") { balance } }`,
  adminProveLedger: 'mutation { adminProveLedger }',
  adminSetRoles: `mutation { adminSetRoles(substrateAddress: "${ADDRESS}", roles: [BETA]) { id } }`,
  adminCreateServiceToken: 'mutation { adminCreateServiceToken(name: "x", roles: [BETA]) { token } }',
  adminRecordTokenPrice: 'mutation { adminRecordTokenPrice(priceUsd: "1", blockNumber: 1) { priceUsd } }',
  adminSaveVmFlavor:
    'mutation { adminSaveVmFlavor(name: "x", displayName: "X", cpuCores: 1, memoryMb: 1024, dataDiskGb: 1, creditsPerHour: "1") { id } }',
  adminRetireVmFlavor: 'mutation { adminRetireVmFlavor(id: 2147483647) { id } }',
  adminSaveVmImage: 'mutation { adminSaveVmImage(name: "X", slug: "x", description: "X") { id } }',
  adminRetireVmImage: 'mutation { adminRetireVmImage(id: 2147483647) { id } }',
  adminSaveVmApplication: 'mutation { adminSaveVmApplication(name: "X", slug: "x", description: "X") { id } }',
  adminRetireVmApplication: 'mutation { adminRetireVmApplication(id: 2147483647) { id } }',
  adminSetModelProject: 'mutation { adminSetModelProject(project: "x", isPublic: true) { project } }',
  adminCrawlModels: 'mutation { adminCrawlModels { number } }',
  modelCrawl: '{ modelCrawl { number } }',
  modelProjects: '{ modelProjects { project } }',
  user: `query { user(substrateAddress: "${ADDRESS}") { id } }`,
  users: '{ users { results { id } } }',
} as const;

let user: SignedIn;
let tokens: Record<string, string>;
beforeAll(async () => {
  user = await signIn();
  tokens = { user: user.token };
  for (const role of ['VALIDATOR', 'MARKETING', 'BETA', 'ADMIN']) tokens[role] = await serviceToken(role);
});

describe.each(Object.entries(ADMIN_MUTATIONS))('%s', (_, operation) => {
  it('is refused as UNAUTHENTICATED to anonymous', async () => {
    expect(codeOf(await graphql(operation))).toBe('UNAUTHENTICATED');
  });

  it.each(['user', 'VALIDATOR', 'MARKETING', 'BETA'])('is refused as FORBIDDEN to %s', async (who) => {
    expect(codeOf(await graphql(operation, { token: tokens[who] ?? '' }))).toBe('FORBIDDEN');
  });
});

const setRoles = (roles: string[], token: string) =>
  graphql(
    'mutation ($to: String!, $roles: [Role!]!) { adminSetRoles(substrateAddress: $to, roles: $roles) { roles } }',
    {
      token,
      variables: { to: user.substrateAddress, roles },
    },
  );

const createToken = (roles: string[], token: string) =>
  graphql('mutation ($roles: [Role!]!) { adminCreateServiceToken(name: "x", roles: $roles) { roles token } }', {
    token,
    variables: { roles },
  });

describe('an administrator', () => {
  it('gives and takes the roles BETA, MARKETING and VALIDATOR', async () => {
    await setRoles(['BETA', 'MARKETING', 'VALIDATOR'], tokens.ADMIN ?? '');
    const { data } = await setRoles(['BETA'], tokens.ADMIN ?? '');
    expect(data.adminSetRoles.roles).toEqual(['BETA']);
  });

  it.each(['SUPERUSER', 'ADMIN'])('cannot give a user the role %s', async (role) => {
    expect(codeOf(await setRoles([role], tokens.ADMIN ?? ''))).toBe('FORBIDDEN');
  });

  it.each(['SUPERUSER', 'ADMIN'])('cannot issue a service token with the role %s', async (role) => {
    expect(codeOf(await createToken([role], tokens.ADMIN ?? ''))).toBe('FORBIDDEN');
  });

  it('cannot take the role SUPERUSER from a user', async () => {
    const boss = await signIn();
    await asAdmin('mutation ($to: String!) { adminSetRoles(substrateAddress: $to, roles: [SUPERUSER]) { id } }', {
      to: boss.substrateAddress,
    });
    const answer = await graphql('mutation ($to: String!) { adminSetRoles(substrateAddress: $to, roles: []) { id } }', {
      token: tokens.ADMIN ?? '',
      variables: { to: boss.substrateAddress },
    });
    expect(codeOf(answer)).toBe('FORBIDDEN');
  });

  it('names each role once', async () => {
    const { data } = await setRoles(['BETA', 'BETA'], tokens.ADMIN ?? '');
    expect(data.adminSetRoles.roles).toEqual(['BETA']);
  });
});

describe('a superuser', () => {
  it('may do what administrators do', async () => {
    const boss = await signIn();
    await asAdmin('mutation ($to: String!) { adminSetRoles(substrateAddress: $to, roles: [SUPERUSER]) { id } }', {
      to: boss.substrateAddress,
    });
    const { data } = await graphql('mutation { adminCreateServiceToken(name: "x", roles: [SUPERUSER]) { roles } }', {
      token: boss.token,
    });
    expect(data.adminCreateServiceToken.roles).toEqual(['SUPERUSER']);
  });

  it('is one at once, by the token it has already', async () => {
    const boss = await signIn();
    const ask = `{ user(substrateAddress: "${boss.substrateAddress}") { id } }`;
    const before = codeOf(await graphql(ask, { token: boss.token }));
    await asAdmin('mutation ($to: String!) { adminSetRoles(substrateAddress: $to, roles: [ADMIN]) { id } }', {
      to: boss.substrateAddress,
    });
    const { data } = await graphql(ask, { token: boss.token });
    expect({ before, after: data.user.id }).toEqual({ before: 'FORBIDDEN', after: boss.userId });
  });
});

describe('adminCreateServiceToken', () => {
  it('shows the token once and keeps only what names it', async () => {
    const { adminCreateServiceToken: issued } = await asAdmin(
      'mutation { adminCreateServiceToken(name: "backup", roles: [VALIDATOR]) { id name token roles } }',
    );
    expect(issued).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'backup',
      token: expect.stringMatching(/^\w+_[\w-]{43}$/),
      roles: ['VALIDATOR'],
    });
  });

  it.each(['', '   ', 'x'.repeat(101), 'a\0b'])('refuses the name %j', async (name) => {
    const issue = 'mutation ($name: String!) { adminCreateServiceToken(name: $name, roles: []) { id } }';
    const answer = await graphql(issue, { token: tokens.ADMIN ?? '', variables: { name } });
    expect(codeOf(answer)).toBe('BAD_REQUEST');
  });
});

describe('the catalogue', () => {
  it.each([
    ['adminSaveVmImage', 'name: "Debian of the tests", slug: $slug, description: "X"'],
    ['adminSaveVmApplication', 'name: "Docker of the tests", slug: $slug, description: "X"'],
  ])('refuses a slug that is taken: %s', async (mutation, terms) => {
    const save = `mutation ($slug: String!) { ${mutation}(${terms.replace('tests', randomUUID())}) { id } }`;
    const again = `mutation ($slug: String!) { ${mutation}(${terms.replace('tests', randomUUID())}) { id } }`;
    const slug = randomUUID();
    await asAdmin(save, { slug });
    expect(codeOf(await graphql(again, { token: tokens.ADMIN ?? '', variables: { slug } }))).toBe('CONFLICT');
  });

  it.each(['adminRetireVmFlavor', 'adminRetireVmImage', 'adminRetireVmApplication'])(
    'knows nothing of an id that was never given: %s',
    async (mutation) => {
      const answer = await graphql(`mutation { ${mutation}(id: 2147483647) { id } }`, { token: tokens.ADMIN ?? '' });
      expect(codeOf(answer)).toBe('NOT_FOUND');
    },
  );
});
