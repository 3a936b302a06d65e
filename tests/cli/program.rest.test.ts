import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { packageRoot } from '../../kernel/package-root.js';
import { ADMIN_TOKEN, freePort } from '../kit/arrangements.js';
import { openCommandLine, signedInCommandLine, type CommandLine } from '../kit/command-line.js';
import { platform } from '../kit/platform.js';
import { runToEnd } from '../kit/run.js';

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

describe('the command line', () => {
  it.each([
    ['an unknown command', ['nothing']],
    ['help for an unknown command', ['help', 'nothing']],
    ['help for an unknown subcommand', ['help', 'vm', 'nothing']],
    ['no command', []],
    ['a missing argument', ['vm', 'create']],
    ['an unknown choice', ['net', 'reach', 'a', 'b', '--protocol', 'x']],
    ['a URL that is none', ['--url', 'nowhere', 'whoami']],
    ['a wallet that is missing', ['login', '--wallet', '/nowhere/wallet']],
    ['a new wallet without a file', ['login', '--new']],
    ['a provider that the platform does not have', ['login', '--browser', 'nobody']],
    ['a new wallet in a folder that is missing', ['login', '--wallet', '/nowhere/wallet', '--new']],
    ['an id of a key that is no number', ['bucket', 'key', 'revoke', 'k1']],
    ['an id of a certificate that is no number', ['cert', 'revoke', 'x']],
    ['a count that is too large', ['credits', '--lines', '99999999999']],
    ['a time that is none', ['audit', '--since', 'yesterday']],
    ['a date that is none', ['audit', '--until', '2026-02-30']],
    ['a time that is none', ['bucket', 'key', 'create', 'k', '--expires', 'tomorrow']],
    ['a port that is none', ['net', 'reach', 'a', 'b:65536']],
    ['a folder without a name', ['files', 'ls', '', '--wallet', 'w']],
    ['the removal of all roles without --yes', ['admin', 'roles', 'x']],
    ['an id that is too large', ['cert', 'revoke', '2147483648']],
  ])('ends with 2 for %s, with nothing on stdout', async (_, words) => {
    const { code, stdout, stderr } = await line.run(...words);
    expect([code, stdout, stderr.split('\n').length > 1]).toEqual([2, '', true]);
  });

  it.each([
    ['localhost:4000', 'is not an http or https URL: write http://localhost:4000.'],
    ['10.0.0.7:4000', 'is not an http or https URL: write http://10.0.0.7:4000.'],
    ['archipelago.example', 'is not an http or https URL: write https://archipelago.example.'],
    ['archipelago.example:8443', 'is not an http or https URL: write https://archipelago.example:8443.'],
    ['localhost:4000/graphql', 'is not an http or https URL: write http://localhost:4000.'],
    ['ftp://localhost', 'is not an http or https URL.'],
    ['http://', 'is not an http or https URL.'],
    ['http://localhost:4000/graphql', 'is an address of the API, not of the platform: write http://localhost:4000.'],
    ['http://localhost:4000/api/', 'is an address of the API, not of the platform: write http://localhost:4000.'],
    ['http://localhost/api/docs/', 'is an address of the API, not of the platform: write http://localhost.'],
    ['https://a.example/cloud/api', 'is an address of the API, not of the platform: write https://a.example/cloud.'],
  ])('says which address to write for %s', async (url, sentence) => {
    const refusal = { code: 2, stdout: '', stderr: `"${url}" ${sentence}\n` };
    expect(await line.run('--url', url, 'whoami')).toEqual(refusal);
    const other = await openCommandLine({ ARCHIPELAGO_URL: url });
    expect(await other.run('whoami')).toEqual(refusal);
    await other.close();
  });

  it.each([
    ['a result', ['whoami'], 'stdout', 141],
    ['a failure', ['vm', 'stop', 'none'], 'stderr', 2],
  ] as const)('ends quietly when the reader of %s has gone', async (_, words, name, status) => {
    const child = line.start(...words);
    child[name].destroy();
    const other = name === 'stdout' ? child.stderr : child.stdout;
    const [[code], printed] = await Promise.all([once(child, 'exit'), text(other)]);
    expect([code, printed]).toEqual([status, '']);
  });

  it('ends with 4 when nothing answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const { code, stderr } = await line.run('--url', url, 'login', '--wallet', line.wallet);
    expect([code, stderr]).toEqual([4, expect.stringContaining(url)]);
  });

  it('sends a token only to the platform that issued it', async () => {
    const { code } = await line.run('--url', platform().url.replace('127.0.0.1', 'localhost'), 'whoami');
    expect(code).toBe(3);
  });

  it('names the profile and the platform of the command in the commands that it proposes', async () => {
    const url = `${platform().url}/`;
    const refused = await line.run('whoami', '--profile', "Ann's laptop", '--url', url);
    const login = String.raw`archipelago --profile 'Ann'\''s laptop' --url ${url} login`;
    expect([refused.code, refused.stderr]).toEqual([3, `You are not signed in. Sign in with: ${login}\n`]);
    const noWallet = await line.run('login', '--profile', 'third', '--wallet', 'x y');
    expect(noWallet.stderr).toMatch(/with: archipelago --profile third login --wallet 'x y' --new\n$/);
    const second = ['--profile', 'second'];
    await line.json(...second, 'login', '--wallet', line.wallet);
    await line.json(...second, 'net', 'provision');
    const machine = await line.run('vm', 'stop', 'none', ...second);
    expect(machine.stderr).toBe('There is no machine "none": see archipelago --profile second vm list.\n');
    const incomplete = await line.run('vm', 'create', 'web', ...second);
    expect(incomplete.stderr).toContain('; archipelago --profile second vm catalogue lists');
    const file = join(line.folder, 'net.yaml');
    await writeFile(file, 'groups: [staff]\n');
    const applied = await line.run(...second, 'net', 'apply', file, '--yes');
    expect(applied.stdout).toMatch(
      /^1 entry changes;.*\nchanged 1 entry; undo with: archipelago --profile second net undo \d+\n$/m,
    );
  });

  it('keeps the account in ~/.config when the variables for other folders are empty', async () => {
    const env = { ARCHIPELAGO_HOME: '', XDG_CONFIG_HOME: '', HOME: line.folder, ARCHIPELAGO_URL: platform().url };
    expect((await runToEnd(['bundle/cli.js', 'login', '--wallet', line.wallet], env)).code).toBe(0);
    expect((await stat(join(line.folder, '.config/archipelago/profiles.json'))).isFile()).toBe(true);
  });

  it('takes the token from a file that a variable names', async () => {
    const { token } = await admin.json('admin', 'service-token', 'a program', 'BETA');
    const file = join(line.folder, 'token');
    await writeFile(file, `${token}\n`);
    const program = await openCommandLine({ ARCHIPELAGO_TOKEN_FILE: file });
    expect((await program.run('vm', 'catalogue')).code).toBe(0);
    await writeFile(file, 'two\nlines\n');
    expect(await program.run('whoami')).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'The token has characters that no token has. The token of ARCHIPELAGO_TOKEN_FILE is refused: unset or replace it.\n',
    });
    const missing = await openCommandLine({ ARCHIPELAGO_TOKEN_FILE: join(line.folder, 'none') });
    expect(await missing.run('whoami')).toMatchObject({ code: 2, stderr: expect.stringContaining('TOKEN_FILE') });
    await Promise.all([program.close(), missing.close()]);
  });

  it('prints its version, and after a mistake one line with how to get help', async () => {
    expect(await line.run('--version')).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
    const { stderr } = await line.run('vm', 'list', '--nothing');
    expect(stderr).toBe("error: unknown option '--nothing'\nAdd --help to see the usage.\n");
  });

  it('explains its exit statuses, and that of ssh', async () => {
    const { code, stdout } = await line.run('--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 not signed in')]);
    expect(stdout).toContain('ARCHIPELAGO_URL         address of the platform');
    expect((await line.run('vm', 'ssh', '--help')).stdout).toMatch(/the exit status is\s+that of ssh/);
  });

  it('runs from the checkout, and prints nothing but the result', async () => {
    const words = [join(packageRoot(), 'cli/archipelago.js'), '--json', 'whoami'];
    const env = {
      ...process.env,
      ARCHIPELAGO_HOME: join(line.folder, 'home'),
      ARCHIPELAGO_URL: platform().url,
    };
    const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8', env });
    expect(JSON.parse(stdout)).toMatchObject({ substrateAddress: line.substrateAddress });
  });
});
