import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../../kernel/package-root.js';
import { signedInCommandLine } from '../../kit/command-line.js';
import { sayExpected } from '../../kit/expected-lines.js';
import { platform } from '../../kit/platform.js';
import { HAS_TERMINAL, onTerminal } from '../../kit/programs/terminal.js';

let line: Awaited<ReturnType<typeof signedInCommandLine>>;
let file: string;
beforeAll(async () => {
  line = await signedInCommandLine();
  await line.json('net', 'provision');
  file = join(line.folder, 'net.yaml');
  await writeFile(file, 'groups: [staff]\n');
});
afterAll(() => line.close());

const groups = async () => (await line.json('net', 'group', 'list')).map(({ label }: { label: string }) => label);

describe('net undo', () => {
  it('shows what it would change, and undoes no other change than the one that is given', async () => {
    const applied = await line.run('net', 'apply', file, '--yes');
    const [, id = ''] = /undo with: archipelago net undo (\d+)$/m.exec(applied.stdout) ?? [];
    await line.json('net', 'group', 'create', 'later');
    const sentence = 'Nothing was changed. Give --yes where there is no terminal to ask on.\n';
    expect(await line.run('net', 'undo')).toEqual({ code: 2, stdout: '- group later\n', stderr: sentence });
    const refused = await line.run('net', 'undo', id, '--yes');
    expect([refused.code, refused.stdout]).toEqual([1, '- group staff\n']);
    expect(await groups()).toEqual(['all', 'staff', 'later']);
    expect((await line.run('net', 'undo', '--yes')).stdout).toMatch(/^- group later\nundone; /);
    expect(await line.json('net', 'undo', id, '--yes')).toMatchObject({ items: [{ kind: 'group', after: null }] });
    expect(await groups()).toEqual(['all']);
    expect(await line.run('net', 'undo', '0', '--yes')).toMatchObject({ code: 2, stdout: '' });
  });
});

/** Runs a command with `--json` on a terminal. Returns its exit status, what the terminal showed, and its output. */
async function onTerminalAsJson(words: string, keys: string): Promise<[number, string, string]> {
  const output = join(line.folder, 'output.json');
  const program = `'${process.execPath}' '${join(packageRoot(), 'dist/bundle/cli.js')}'`;
  const env = { ARCHIPELAGO_HOME: join(line.folder, 'home'), ARCHIPELAGO_URL: platform().url };
  const [code, shown] = await onTerminal(`${program} --json ${words} > '${output}'`, { keys, env });
  return [code, shown, await readFile(output, 'utf8')];
}

const sentences = () => {
  it('is asked after its plan, on standard error: net apply', async () => {
    const shown = /\+ group staff\r\n1 entry changes; [^\n]*\r\n.*Apply\? \[y\/N\]/;
    const declined = await onTerminalAsJson(`net apply '${file}'`, 'n\r');
    expect(declined).toEqual([2, expect.stringMatching(shown), '']);
    const [code, , output] = await onTerminalAsJson(`net apply '${file}'`, 'y\r');
    expect([code, JSON.parse(output)]).toEqual([0, expect.objectContaining({ changed: 1 })]);
  });

  it('is asked after its list, on standard error: files sync --delete', async () => {
    const folder = join(line.folder, 'photos');
    await mkdir(folder);
    await writeFile(join(folder, 'kept.txt'), 'kept');
    await line.json('files', 'push', 'photos', file, 'gone.txt', '--wallet', line.wallet);
    const sync = `files sync photos '${folder}' --delete --wallet '${line.wallet}'`;
    const [code, shown] = await onTerminalAsJson(sync, 'n\r');
    expect([code, shown]).toEqual([2, expect.stringMatching(/- gone\.txt\r\n.*Delete this file of the folder\?/)]);
  });
};

if (HAS_TERMINAL) describe('a question with --json', sentences);
else
  it('a question with --json is not tried without script', () => {
    sayExpected('script of util-linux is not installed: no question is tried on a terminal');
  });
