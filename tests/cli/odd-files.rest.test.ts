import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signedInCommandLine } from '../kit/command-line.js';

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
beforeAll(async () => {
  line = await signedInCommandLine();
});
afterAll(() => line.close());

/** Makes a directory with these files, whose names are their contents. */
async function directoryOf(...names: readonly (string | Buffer)[]): Promise<string> {
  const folder = await mkdtemp(join(line.folder, 'd-'));
  for (const name of names) await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]), name);
  return folder;
}

const run = (verb: string, ...words: readonly string[]) => line.run('files', verb, ...words, '--wallet', line.wallet);
const json = (verb: string, ...words: readonly string[]) => line.json('files', verb, ...words, '--wallet', line.wallet);
const pathsIn = async (label: string): Promise<string[]> =>
  (await json('ls', label)).map(({ relativePath }: { relativePath: string }) => relativePath);

const NFD = 'e\u0301.txt';
const NFC = '\u00e9.txt';

describe('files with odd names on the command line', () => {
  it('come back as they were, and are listed by path', async () => {
    const names = [' a b ', '-dash', '.hidden', `quote'"`, 'x'.repeat(250), '\u{1f600}', NFD];
    const directory = await directoryOf(...names);
    await writeFile(join(directory, 'zero'), '');
    await mkdir(join(directory, 'empty/er'), { recursive: true });
    const all = [...names, 'zero'].toSorted();
    expect(await json('sync', 'names', directory)).toEqual({ uploaded: all });
    expect(await json('sync', 'names', directory)).toEqual({ uploaded: [] });
    expect(await pathsIn('names')).toEqual(all);
    const target = join(line.folder, 'names');
    await json('pull', 'names', '', target);
    expect((await readdir(target)).toSorted()).toEqual(all);
    for (const name of names) expect(await readFile(join(target, name), 'utf8')).toBe(name);
    expect((await stat(join(target, 'zero'))).size).toBe(0);
  });

  it('are the same in every Unicode form of their name', async () => {
    const directory = await directoryOf(NFD);
    await json('sync', 'forms', directory);
    await rename(join(directory, NFD), join(directory, NFC));
    expect(await json('sync', 'forms', directory, '--delete')).toEqual({ uploaded: [] });
    await writeFile(join(directory, NFC), 'changed');
    expect(await json('sync', 'forms', directory, '--delete')).toEqual({ uploaded: [NFC] });
    for (const name of [NFD, NFC]) {
      await json('pull', 'forms', name, join(directory, 'pulled'));
      expect(await readFile(join(directory, 'pulled'), 'utf8')).toBe('changed');
    }
    await json('mv', 'forms', NFD, `${NFD}/${NFD}`);
    await json('pull', 'forms', NFC, join(directory, 'below'));
    expect(await readdir(join(directory, 'below'))).toEqual([NFD]);
    await json('rm', 'forms', `${NFC}/${NFC}`, '--yes');
    expect(await pathsIn('forms')).toEqual([]);
  });

  it('are named when they cannot be uploaded, and the others are; then nothing is deleted', async () => {
    await json('sync', 'partly', await directoryOf('old'));
    const directory = await directoryOf(
      'a',
      'new\nline',
      String.raw`back\slash`,
      Buffer.from('latin\xff', 'latin1'),
      NFC,
      NFD,
      'z',
    );
    const { code, stdout, stderr } = await run('sync', 'partly', directory, '--delete', '--yes');
    expect([code, stdout]).toEqual([1, 'uploaded 3 of 7\n']);
    expect(stderr.split('\n').toSorted()).toEqual([
      '',
      'Not uploaded: 4 of 7.',
      expect.stringMatching(/^back\\slash: Rename the file: its path must /),
      'latin\ufffd: The name is not UTF-8: rename the file.',
      expect.stringMatching(/^new\\u000aline: Rename the file: its name must /),
      `${NFC}: Another file has the same name in Unicode.`,
    ]);
    expect(await pathsIn('partly')).toEqual(['a', NFD, 'old', 'z']);
  });
});

describe('what is no regular file', () => {
  it('is skipped in a directory, which is said, and refused by itself', async () => {
    const directory = await directoryOf('file');
    await symlink('file', join(directory, 'link'));
    await symlink(line.folder, join(directory, 'elsewhere'));
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const { code, stdout, stderr } = await run('sync', 'special', directory);
    expect([code, stdout]).toEqual([0, 'uploaded 1 of 1\n']);
    for (const name of ['link', 'elsewhere', 'pipe'])
      expect(stderr).toContain(`${name}: skipped, it is neither a file nor a directory.\n`);
    const stderrOf = async (verb: string, ...words: readonly string[]) => (await run(verb, ...words)).stderr;
    const sentence = `${pipe} is neither a file nor a directory.\n`;
    expect(await stderrOf('push', 'special', pipe)).toBe(sentence);
    expect(await stderrOf('pull', 'special', 'file', pipe)).toBe(sentence);
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });
});

describe('the target of a file', () => {
  it('may be a directory of the folder, and names that end with .part are like others', async () => {
    const directory = await directoryOf('a', 'a.part');
    await json('push', 'targets', directory, 'all/');
    await json('push', 'targets', join(directory, 'a'), 'one/');
    await json('push', 'targets', join(directory, 'a'), '');
    expect(await pathsIn('targets')).toEqual(['a', 'all/a', 'all/a.part', 'one/a']);
    const target = join(directory, 'back');
    await json('pull', 'targets', 'all/', target);
    expect(await readdir(target)).toEqual(['a', 'a.part']);
    for (const name of ['a', 'a.part']) expect(await readFile(join(target, name), 'utf8')).toBe(name);
  });

  it('is refused in one sentence when a directory or a file is in its way', async () => {
    const directory = await directoryOf('a', 'file');
    await json('push', 'blocked', join(directory, 'a'));
    const target = join(directory, 'target');
    await mkdir(join(target, 'a'), { recursive: true });
    const file = join(directory, 'file');
    await symlink('nowhere', join(directory, 'link'));
    for (const [to, destination, reason] of [
      [target, join(target, 'a'), 'a directory has its name'],
      [`${file}/`, join(file, 'a'), 'a file is where its directory must be'],
      [join(file, 'x/y'), join(file, 'x/y'), 'a file is where its directory must be'],
      [join(directory, 'link/a'), join(directory, 'link/a'), 'its directory leads nowhere'],
    ] as const)
      expect(await run('pull', 'blocked', 'a', to)).toEqual({
        code: 2,
        stdout: '',
        stderr: `${destination} cannot be written: ${reason}.\n`,
      });
    expect(await readdir(target)).toEqual(['a']);
  });

  it.each([
    ['a folder that is not there', ['pull', 'none', 'a'], 'There is no folder "none".'],
    ['a folder that is not there, for rm', ['rm', 'none', 'a'], 'There is no folder "none".'],
    ['a directory that is a file', ['sync', 'none', '/etc/hostname'], '/etc/hostname cannot be read: ENOTDIR'],
    ['a directory that is not there', ['sync', 'none', '/nowhere'], '/nowhere cannot be read: ENOENT'],
  ] as const)('is refused: %s', async (_, [verb, ...words], sentence) => {
    const { code, stdout, stderr } = await run(verb, ...words);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(sentence)]);
  });

  it('are renamed to what the platform takes, and refused in the words of the command', async () => {
    const directory = await directoryOf('a', 'b');
    await json('push', 'renamed', directory);
    for (const [to, code, sentence] of [
      ['b\u0007', 1, /^The new name must be a single file name: /],
      ['x/../y', 1, /^The new path must be segments separated by `\/`/],
      ['', 2, /^The new path is empty\.$/],
      ['b', 2, /^The folder has a file "b" already\.$/],
    ] as const) {
      const ended = await run('mv', 'renamed', 'a', to);
      expect([ended.code, ended.stdout, ended.stderr.trimEnd()]).toEqual([code, '', expect.stringMatching(sentence)]);
    }
    const pushed = await run('push', 'renamed', join(directory, 'a'), '../a');
    expect([pushed.code, pushed.stderr]).toEqual([1, expect.stringMatching(/^The path must be segments /)]);
    expect(await pathsIn('renamed')).toEqual(['a', 'b']);
  });
});
