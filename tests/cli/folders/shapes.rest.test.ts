import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encryptBytes, folderHash, folderKey, newMnemonic } from '../../../sdk/src/index.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { openCommandLine, type CommandLine } from '../../kit/command-line.js';
import { DEFAULT_HASH, store } from '../../kit/files/sync.js';
import type { Json } from '../../kit/platform.js';

let user: SignedIn;
let line: CommandLine;
let wallet: string;
let source: string;
beforeAll(async () => {
  user = await signIn();
  line = await openCommandLine({ ARCHIPELAGO_TOKEN: user.token });
  wallet = join(line.folder, 'wallet');
  source = join(line.folder, 'source');
  await writeFile(wallet, newMnemonic());
  await mkdir(source);
  await writeFile(join(source, 'a.txt'), 'a');
});
afterAll(() => line.close());

const words = (verb: string, ...rest: readonly string[]) => ['files', verb, ...rest, '--wallet', wallet];
const run = (verb: string, ...rest: readonly string[]) => line.run(...words(verb, ...rest));
const json = (verb: string, ...rest: readonly string[]) => line.json(...words(verb, ...rest));

/** Stores a file whose path only its client knows. Returns its id. */
async function storeWithoutPath(path: string, encryptedPath: Uint8Array, folder = DEFAULT_HASH): Promise<string> {
  const manifest = { file_name: null, relative_path: null, encrypted_path: [...encryptedPath], folder_hash: folder };
  return (await store(user, path, { manifest })).fileId;
}

const leftOut = (fileId: string) => `The file ${fileId} is left out: its path cannot be read with this phrase.\n`;

describe('a file without a path that the phrase can read', () => {
  it.each([
    ['no path', Buffer.of()],
    ['a path of another key', randomBytes(80)],
  ])('is left out of a folder, which says its id, and can be deleted by that: %s', async (_, encryptedPath) => {
    await json('push', 'default', join(source, 'a.txt'), 'a.txt');
    const fileId = await storeWithoutPath(`${encryptedPath.length}.txt`, encryptedPath);
    const { code, stdout, stderr } = await run('ls', 'default');
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^path[^\n]*\na\.txt /), leftOut(fileId)]);
    const target = join(line.folder, fileId);
    expect(await run('pull', 'default', '/', target)).toMatchObject({ code: 0, stderr: leftOut(fileId) });
    expect(await readdir(target)).toEqual(['a.txt']);
    expect(await run('sync', 'default', source, '--delete', '--yes')).toEqual({
      code: 0,
      stdout: 'uploaded 0 of 1\n',
      stderr: leftOut(fileId),
    });
    expect(await run('rm', 'default', fileId, '--yes')).toMatchObject({ code: 0, stdout: 'deleted 1\n' });
    expect(await run('ls', 'default')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a folder of which no path can be read', () => {
  it('is refused with its reason when the paths are of another phrase; a file can be deleted by its id', async () => {
    const { secret, folderHash: hidden } = folderKey(await readFile(wallet, 'utf8'), 'hidden');
    const encryptedPath = await encryptBytes(Buffer.from('hidden.txt'), secret, randomBytes(24));
    const fileId = await storeWithoutPath('hidden.txt', encryptedPath, hidden);
    await json('push', 'hidden', join(source, 'a.txt'));
    expect((await json('ls', 'hidden')).map((file: Json) => file.relativePath)).toEqual(['a.txt', 'hidden.txt']);
    const other = join(line.folder, 'other');
    await writeFile(other, newMnemonic());
    const asOther = (verb: string, ...rest: readonly string[]) =>
      line.run('files', verb, 'hidden', ...rest, '--wallet', other);
    const refused = await Promise.all([
      asOther('ls'),
      asOther('pull', '/', join(line.folder, 'unread')),
      asOther('push', source),
      asOther('sync', source, '--delete', '--yes'),
      asOther('mv', 'a.txt', 'b.txt'),
      asOther('rm', 'a.txt', '--yes'),
      asOther('rm', fileId, 'a.txt', '--yes'),
    ]);
    const stderr = `No path of the folder can be decrypted, such as that of the file ${fileId}: the phrase is of another wallet, or the paths were altered.\n`;
    expect(refused).toEqual(refused.map(() => ({ code: 1, stdout: '', stderr })));
    expect(await json('ls', 'hidden')).toHaveLength(2);
    expect(await asOther('rm', fileId, '--yes')).toEqual({ code: 0, stdout: 'deleted 1\n', stderr: '' });
  });

  it('is not said to be empty', async () => {
    const fileId = await storeWithoutPath('nameless', Buffer.of(), folderHash('nameless'));
    expect(await run('pull', 'nameless', '/', join(line.folder, 'nameless'))).toEqual({
      code: 2,
      stdout: '',
      stderr: `${leftOut(fileId)}The folder has no file to download.\n`,
    });
  });
});

describe('the result of a sync with --delete', () => {
  it('is one document with --json', async () => {
    await json('push', 'one', join(source, 'a.txt'), 'gone.txt');
    expect(await json('sync', 'one', source, '--delete', '--yes')).toEqual({
      uploaded: ['a.txt'],
      deleted: ['gone.txt'],
    });
    await json('push', 'one', join(source, 'a.txt'), 'gone.txt');
    const unanswered = await line.run('--json', ...words('sync', 'one', source, '--delete'));
    expect([unanswered.code, JSON.parse(unanswered.stdout)]).toEqual([2, { uploaded: [] }]);
  });
});

describe('a search', () => {
  it('says the folder of each file', async () => {
    await json('push', 'summer', join(source, 'a.txt'), 'beach.txt');
    await json('push', 'winter', join(source, 'a.txt'), 'beach.txt');
    const found: { folderLabel: string }[] = await line.json('files', 'search', 'beach');
    expect(found.map(({ folderLabel }) => folderLabel).toSorted()).toEqual(['summer', 'winter']);
    expect((await line.run('files', 'search', 'beach')).stdout).toMatch(/^folder +path +bytes[^\n]*\n\w+ +beach\.txt /);
  });
});

describe('a file with the name of a directory', () => {
  it('is pulled alone or refused beside the files below it, which are pulled', async () => {
    await writeFile(join(source, 'docs'), 'a file');
    await json('push', 'both', join(source, 'docs'), 'docs');
    await json('push', 'both', join(source, 'a.txt'), 'docs/a.txt');
    const target = join(line.folder, 'docs');
    const { code, stderr } = await run('pull', 'both', 'docs', target);
    expect([code, stderr]).toEqual([
      1,
      `docs: ${target} cannot be written: a directory has its name.\nNot downloaded: 1 of 2.\n`,
    ]);
    expect(await readFile(join(target, 'a.txt'), 'utf8')).toBe('a');
  });
});
