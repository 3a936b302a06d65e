import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCommandLine, signedInCommandLine, type CommandLine } from '../kit/command-line.js';
import { platform, type Json } from '../kit/platform.js';

/** A folder that nobody can make. */
const UNWRITABLE = '/sys/none/home';

const REFUSAL = 'The token is invalid, expired or revoked.';

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
let token: string;
beforeAll(async () => {
  line = await signedInCommandLine();
  token = await tokenOf(line);
});
afterAll(() => line.close());

const tokenOf = async ({ folder }: CommandLine, profile = 'default'): Promise<string> =>
  JSON.parse(await readFile(join(folder, 'home/profiles.json'), 'utf8'))[profile].token;

/** Runs a command of a new person, in an environment with these variables. */
async function runWith(env: Readonly<Record<string, string>>, ...words: readonly string[]) {
  const other = await openCommandLine(env);
  const ended = await other.run(...words);
  await other.close();
  return ended;
}

describe('a refused token', () => {
  it('is named by where it was given', async () => {
    const file = join(line.folder, 'token');
    await writeFile(file, 'bad');
    const ofVariable = await runWith({ ARCHIPELAGO_TOKEN: 'bad' }, 'whoami');
    const ofFile = await runWith({ ARCHIPELAGO_TOKEN_FILE: file }, 'whoami');
    const ofOption = await runWith({}, 'login', '--token', 'bad');
    expect([ofVariable, ofFile, ofOption]).toEqual([
      { code: 3, stdout: '', stderr: `${REFUSAL} The token of ARCHIPELAGO_TOKEN is refused: unset or replace it.\n` },
      {
        code: 3,
        stdout: '',
        stderr: `${REFUSAL} The token of ARCHIPELAGO_TOKEN_FILE is refused: unset or replace it.\n`,
      },
      { code: 3, stdout: '', stderr: `${REFUSAL} The token of --token is refused: give another.\n` },
    ]);
  });

  it.each([
    ['-', 'Standard input is empty.'],
    ['', 'The token is empty.'],
  ])('is said to be empty: "%s"', async (word, sentence) => {
    expect(await runWith({}, 'login', '--token', word)).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
  });
});

describe('a profile of the command line', () => {
  it('is of one platform, however its address is written', async () => {
    const { host } = new URL(platform().url);
    for (const url of [`http://${host}/`, `HTTP://${host}//`])
      expect(await line.run('--url', url, 'whoami')).toMatchObject({ code: 0, stderr: '' });
  });

  it('counts as signed out by its own token, not by one of a variable or of another platform', async () => {
    const second = await signedInCommandLine({ ARCHIPELAGO_TOKEN: token });
    const own = await tokenOf(second);
    const elsewhere = platform().url.replace('127.0.0.1', 'localhost');
    expect((await second.run('--url', elsewhere, 'logout')).code).toBe(0);
    expect((await runWith({ ARCHIPELAGO_TOKEN: own }, 'whoami')).code).toBe(3);
    expect((await second.run('whoami')).code).toBe(0);
    await second.close();
  });

  it('gives way to the token of a variable, also for files; an empty variable counts as unset', async () => {
    const second = await signedInCommandLine();
    const { wallet } = line;
    const source = join(line.folder, 'a.txt');
    await writeFile(source, 'a file');
    await line.json('files', 'push', 'own', source, '--wallet', wallet);
    for (const env of [{ ARCHIPELAGO_TOKEN: token }, { ARCHIPELAGO_TOKEN: '', ARCHIPELAGO_TOKEN_FILE: '' }]) {
      const home = { ARCHIPELAGO_HOME: join(env.ARCHIPELAGO_TOKEN === '' ? line.folder : second.folder, 'home') };
      const { stdout } = await runWith({ ...env, ...home }, 'files', 'ls', 'own', '--wallet', wallet);
      expect(stdout).toMatch(/^a\.txt +6 /m);
    }
    const unset = { ARCHIPELAGO_PROFILE: '', ARCHIPELAGO_URL: '', ARCHIPELAGO_HOME: join(line.folder, 'home') };
    expect(await runWith(unset, 'whoami')).toMatchObject({ code: 0, stderr: '' });
    await second.close();
  });

  it('is refused before a token is issued when it cannot be kept', async () => {
    const before: Json[] = await line.json('token', 'list');
    expect(await runWith({ ARCHIPELAGO_HOME: UNWRITABLE }, 'login', '--wallet', line.wallet)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^\/sys\/none\/home cannot be written: .* ARCHIPELAGO_HOME names another folder\.\n$/,
      ),
    });
    expect(await line.json('token', 'list')).toHaveLength(before.length);
  });

  it('need not be writable for an upload in chunks, which says that it cannot be resumed', async () => {
    const large = join(line.folder, 'large.bin');
    await writeFile(large, Buffer.alloc(8 * 1024 * 1024));
    const env = { ARCHIPELAGO_HOME: UNWRITABLE, ARCHIPELAGO_TOKEN: token };
    expect(await runWith(env, 'files', 'push', 'own', large, '--wallet', line.wallet)).toEqual({
      code: 0,
      stdout: 'uploaded 1 of 1\n',
      stderr: expect.stringMatching(/^Interrupted uploads will start anew: .*\n$/),
    });
  });

  it.each([[['--token', 'x', '--wallet', 'w']], [['--token', 'x', '--new']], [['--browser', 'test', '--wallet', 'w']]])(
    'is not made in two ways at once: %j',
    async (words) => {
      const { code, stderr } = await line.run('login', ...words);
      expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be used with option')]);
    },
  );
});
