import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newMnemonic, walletOf } from '../../sdk/src/index.js';
import { codeFor, exchange } from '../kit/accounts/social.js';
import { newWallet, signIn } from '../kit/accounts/wallet.js';
import { ADMIN_TOKEN } from '../kit/arrangements.js';
import { deliver, eventOf, openPage, sessionOf } from '../kit/payments/payments.js';
import { openCommandLine, signedInCommandLine, type CommandLine } from '../kit/command-line.js';

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
let admin: CommandLine;
beforeAll(async () => {
  line = await signedInCommandLine();
  admin = await openCommandLine({ ARCHIPELAGO_TOKEN: ADMIN_TOKEN });
});
afterAll(async () => {
  await line.close();
  await admin.close();
});

describe('an account on the command line', () => {
  it('is made from a new wallet, and kept where only its owner can read', async () => {
    const [home, profiles, wallet] = await Promise.all(
      ['home', 'home/profiles.json', 'wallet'].map(async (name) => (await stat(join(line.folder, name))).mode & 0o777),
    );
    expect([home, profiles, wallet]).toEqual([0o700, 0o600, 0o600]);
    expect(await line.json('whoami')).toMatchObject({
      substrateAddress: line.substrateAddress,
      credits: '0',
      simulated: ['machines', 'payments'],
    });
    expect((await line.run('whoami')).stdout).toContain(`substrate address  ${line.substrateAddress}\n`);
    expect((await line.run('models', 'list', 'no model has these words')).stdout).toBe('none\n');
    expect(await line.run('login', '--wallet', line.wallet, '--new')).toEqual({
      code: 2,
      stdout: '',
      stderr: `The wallet ${line.wallet} exists: leave out --new to sign in with it.\n`,
    });
  });

  it('has an SS58 address that is proved at the sign-in, also one that somebody else had claimed', async () => {
    const phrase = newMnemonic();
    const { substrateAddress } = walletOf(phrase);
    await signIn(newWallet(substrateAddress));
    const wallet = join(line.folder, 'claimed');
    await writeFile(wallet, phrase);
    expect(await line.json('--profile', 'claimed', 'login', '--wallet', wallet)).toMatchObject({ substrateAddress });
  });

  it('of a social sign-in has no files until a wallet is linked to it', async () => {
    const { body } = await exchange({ code: await codeFor(randomUUID()) });
    const phrase = newMnemonic();
    const wallet = join(line.folder, 'linked');
    await writeFile(wallet, phrase);
    const run = (...words: readonly string[]) => line.run('--profile', 'social', ...words);
    await run('login', '--token', body.token);
    const before = await run('files', 'folders');
    const linked = await run('link-wallet', wallet);
    const [after, again] = [await run('files', 'folders'), await run('link-wallet', wallet)];
    const { substrateAddress } = walletOf(phrase);
    expect([before, linked, after, again].map(({ code, stdout, stderr }) => [code, stdout || stderr])).toEqual([
      [
        2,
        'This account has no SS58 address, so it has no files. Link a wallet with: archipelago --profile social link-wallet FILE\n',
      ],
      [0, `linked ${substrateAddress}; sign in with it by --wallet ${wallet}\n`],
      [0, 'none\n'],
      [1, 'Your account has a wallet already.\n'],
    ]);
  });

  it('is granted credits and roles by an administrator, and shows them', async () => {
    const granted = await admin.run('admin', 'grant', line.substrateAddress, '12.5', 'a gift');
    expect([granted.code, granted.stdout]).toEqual([0, `${line.substrateAddress} has 12.5 credits\n`]);
    expect(await admin.json('admin', 'roles', line.substrateAddress, 'beta')).toMatchObject({ roles: ['BETA'] });
    expect(await admin.run('admin', 'roles', line.substrateAddress, 'betta')).toEqual({
      code: 2,
      stdout: '',
      stderr: '"betta" is not a role: the roles are ADMIN, BETA, MARKETING, SUPERUSER, VALIDATOR.\n',
    });
    expect(await line.json('credits')).toMatchObject({
      balance: '12.5',
      isTestMoney: true,
      lines: [{ amount: '12.5' }],
    });
    expect((await line.run('credits')).stdout).toMatch(/^is test money +true$/m);
    expect((await line.run('admin', 'grant', line.substrateAddress, '1')).code).toBe(1);
    expect(await admin.run('admin', 'grant', line.substrateAddress, 'abc')).toMatchObject({
      code: 2,
      stderr: '"abc" is not an amount: write digits, such as 12.5.\n',
    });
    expect((await admin.run('admin', 'flagged')).stdout).toMatch(/^(?:none|transaction +user +reason +invoice)\n/);
    expect(await admin.json('admin', 'drift')).toEqual(expect.any(Array));
    expect((await line.run('admin', 'drift')).code).toBe(1);
    const { token } = await admin.json('admin', 'service-token', 'a program', 'BETA', 'Validator');
    expect(token).toMatch(/\S{20}/);
    const tokens = await admin.json('admin', 'service-tokens');
    const issued = tokens.find(({ name }: { name: string }) => name === 'a program');
    expect(issued).toMatchObject({ roles: ['BETA', 'VALIDATOR'] });
    expect((await admin.run('token', 'revoke', issued.id, '--yes')).stdout).toBe(`revoked ${issued.id}\n`);
    expect((await admin.run('admin', 'service-tokens')).stdout).not.toContain(issued.id);
  });

  it('grants a flagged payment once, by an administrator', async () => {
    const page = await openPage(await signIn(), 25);
    await deliver(eventOf('checkout.session.completed', sessionOf(page, { amount_total: 40_50 })));
    expect((await admin.run('admin', 'flagged')).stdout).toContain(page.transactionId);
    const grant = ['admin', 'grant-flagged', page.transactionId, '40.5'];
    expect(await admin.json(...grant)).toMatchObject({ credits: '40.5', hasChanged: true });
    expect((await admin.run(...grant)).stdout).toMatch(/^user \d+ already had 40\.5 credits for /);
    expect((await line.run(...grant)).code).toBe(1);
  });

  it('prints the audit log of all subgraphs, newest first', async () => {
    await line.json('net', 'provision');
    const entries = await line.json('audit');
    expect(entries.slice(0, 4)).toMatchObject([
      { subgraph: 'network', mutation: 'provisionTenant', caller: 'API_TOKEN', actor: null },
      { subgraph: 'accounts', mutation: 'adminSetRoles', actor: 'ADMINISTRATOR', clientAddress: null },
      { subgraph: 'accounts', mutation: 'adminGrantCredits', actor: 'ADMINISTRATOR', clientAddress: null },
      { subgraph: 'accounts', mutation: 'signIn', caller: 'ANONYMOUS', actor: null },
    ]);
    expect(await line.json('audit', '--mutation', 'signIn')).toHaveLength(1);
    for (const time of ['9000-01-01T00:00:00Z', '9000-01-01'])
      expect(await line.json('audit', '--since', time)).toEqual([]);
    expect((await line.run('audit')).stdout).toMatch(/^time +change +ids +by +from\n.*provisionTenant/);
    const { id } = await line.json('net', 'group', 'create', 'audited');
    await line.run('net', 'group', 'rm', 'audited', '--yes');
    const [deleted] = await line.json('audit', '--mutation', 'deleteGroup');
    expect(deleted.previousIds).toEqual([{ name: 'group.id', value: String(id) }]);
    expect((await line.run('audit', '--mutation', 'deleteGroup')).stdout).toContain(` id=${id} before:group.id=${id} `);
  });

  it('creates a token for a program, shows it once, and lists its name', async () => {
    const created = await line.json('token', 'create', 'my CI', '--days', '7');
    expect(created).toEqual({
      id: expect.any(String),
      name: 'my CI',
      token: expect.stringMatching(/^\S{20,}$/),
      expiresAt: expect.any(String),
    });
    const program = await openCommandLine({ ARCHIPELAGO_TOKEN: created.token });
    expect(await program.json('whoami')).toMatchObject({ substrateAddress: line.substrateAddress });
    await program.close();
    const { stdout } = await line.run('token', 'list');
    expect(stdout).toMatch(new RegExp(`^${created.id}  my CI `, 'm'));
    expect(stdout).not.toContain(created.token);
    expect((await line.run('token', 'create', 'another')).stdout).toMatch(
      /^id +\S+\nname +another\ntoken +\S{20,}\nexpires at +\S+\n$/,
    );
    expect(await line.run('token', 'create', 'a', '--days', 'x')).toMatchObject({ code: 2, stdout: '' });
    expect((await line.run('token', 'create', 'a', '--days', '366')).code).toBe(1);
  });

  it('lists tokens, revokes them and signs out', async () => {
    const second = await openCommandLine();
    await second.json('login', '--wallet', line.wallet);
    const tokens = await second.json('token', 'list');
    const own = tokens.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect(tokens.length).toBeGreaterThan(1);
    expect((await line.run('token', 'revoke', own.id, '--yes')).code).toBe(0);
    const refused = await second.run('whoami');
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      3,
      '',
      expect.stringContaining('archipelago login'),
    ]);
    await second.json('logout');
    for (const words of [['whoami'], ['net', 'watch'], ['files', 'folders']]) {
      const { code, stderr } = await second.run(...words);
      expect([code, stderr]).toEqual([3, 'You are not signed in. Sign in with: archipelago login\n']);
    }
    await second.json('login', '--wallet', line.wallet);
    await second.json('logout');
    expect(JSON.parse(await readFile(join(second.folder, 'home/profiles.json'), 'utf8'))).toEqual({});
    await second.close();
  });
});
