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

  it('are followed by one sentence when the output cannot be written', () => {
    const main = join(packageRoot(), 'dist/bundle/cli.js');
    const words = ['-c', 'exec "$0" "$1" completion bash >/dev/full', process.execPath, main];
    const { status, stderr } = spawnSync('sh', words, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^The output cannot be written: ENOSPC[^\n]*\n$/)]);
  });
});
