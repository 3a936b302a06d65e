import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { confirm } from '../../cli/confirm.js';
import { exitStatusOf } from '../../cli/failure.js';
import { packageRoot } from '../../kernel/package-root.js';
import { openCommandLine, signedInCommandLine } from '../kit/command-line.js';

describe('a question on the terminal', () => {
  it.each([
    ['y', 'y\r', undefined],
    ['n', 'n\r', 2],
    ['Ctrl-C', '\u0003', 130],
    ['Ctrl-D', '\u0004', 130],
  ])('that is answered with %s ends the command as documented', async (_, keys, status) => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const asked = confirm('Delete it?', undefined, 'deleted', { input, output: new PassThrough() });
    input.write(keys);
    const error = await asked.catch((thrown: Error) => thrown);
    expect(error && [exitStatusOf(error), error.message]).toEqual(status && [status, 'Nothing was deleted.']);
  });
});

describe('the words of the command line', () => {
  let line: Awaited<ReturnType<typeof signedInCommandLine>>;
  beforeAll(async () => {
    line = await signedInCommandLine();
    await line.json('net', 'provision');
  });
  afterAll(() => line.close());

  it('explain a command below another: help vm create', async () => {
    const own = await openCommandLine();
    expect((await own.run('help', 'vm', 'create')).stdout).toContain('--flavor <name>');
    expect((await own.run('help')).stdout).toContain('Exit status:');
    await own.close();
  });

  it('have control characters escaped in errors too, and a mark for nothing', async () => {
    expect((await line.run('vm', 'stop', 'bell\u0007')).stderr).toContain(String.raw`"bell\u0007"`);
    expect((await line.run('whoami')).stdout).toMatch(/^roles +-$/m);
  });

  it.each([
    ['bucket create', ['bucket', 'create', 'A'], '<name> must have 3 to 63'],
    [
      'bucket key create --expires 2020-01-01',
      ['bucket', 'key', 'create', 'k', '--expires', '2020-01-01'],
      '--expires must be in the future.',
    ],
    ['bucket key create --bucket none', ['bucket', 'key', 'create', 'k', '--bucket', 'none'], '--bucket contains '],
    ['bucket key create --prefix', ['bucket', 'key', 'create', 'k', '--prefix', '*'], '--prefix must contain '],
    ['net group create A b', ['net', 'group', 'create', 'A b'], '<label> must have 1 to 50'],
    ['net enroll --label x', ['net', 'enroll', '--label', 'x'.repeat(300)], '--label must have 1 to '],
    [
      'net policy create all all --ports x',
      ['net', 'policy', 'create', 'all', 'all', '--ports', 'x'],
      'Each of --ports must be a port',
    ],
    ['files search x', ['files', 'search', 'x'.repeat(2000)], '<words> must have at most '],
    ['files search x --type x', ['files', 'search', 'x', '--type', 'x'], '--type must be one of '],
  ])('are those of the command when the platform refuses a field of its API: %s', async (_, words, sentence) => {
    const { code, stdout, stderr } = await line.run(...words);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(sentence)]);
  });

  it('are followed by one sentence when the output cannot be written', () => {
    const main = join(packageRoot(), 'dist/bundle/cli.js');
    const words = ['-c', 'exec "$0" "$1" completion bash >/dev/full', process.execPath, main];
    const { status, stderr } = spawnSync('sh', words, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^The output cannot be written: ENOSPC[^\n]*\n$/)]);
  });
});
