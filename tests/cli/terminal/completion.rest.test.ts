import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openCommandLine, type CommandLine } from '../../kit/command-line.js';
import { sayExpected } from '../../kit/expected-lines.js';
import { HAS_TERMINAL, onTerminal } from '../../kit/programs/terminal.js';

let line: CommandLine;
beforeAll(async () => {
  line = await openCommandLine();
  await writeFile(join(line.folder, 'wallet-of-mine'), '');
});
afterAll(() => line.close());

/** Shells, how each is started, and what it reads before the completions. */
const SHELLS: readonly (readonly [shell: string, start: string, before: string])[] = [
  ['bash', 'bash --norc --noprofile -i', ''],
  ['zsh', 'zsh -f -i', 'autoload -U compinit && compinit -D\r'],
];

const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

/** What is typed, and the words of the command after it. */
const TYPED = [
  ['npx archipelago net gr\tlist', 'archipelago net group list'],
  ['npx archipelago --json vm sto\tweb --y\t', 'archipelago --json vm stop web --yes'],
  ['npx archipel\twhoami', 'archipelago whoami'],
  ['npx archipelago files ls --wallet wallet-of\t', 'archipelago files ls --wallet wallet-of-mine'],
  ['npx other wallet-of\t', 'other wallet-of-mine'],
  ['archipelago net policy en\tweb', 'net policy enable web'],
] as const;

for (const [shell, start, before] of SHELLS)
  if (HAS_TERMINAL && has(shell))
    describe(`the completion of ${shell}`, () => {
      it('completes what is typed on a terminal, of npx only this program', async () => {
        const script = join(line.folder, `completion.${shell}`);
        await writeFile(script, (await line.run('completion', shell)).stdout);
        const program = 'npx() { echo "ran: $*"; }; archipelago() { npx "$@"; }\r';
        const keys = `cd '${line.folder}'\r${before}. '${script}'\r${program}${TYPED.map(([typed]) => `${typed}\r`).join('')}exit\r`;
        const [, shown] = await onTerminal(start, { keys });
        const ran = [...shown.matchAll(/^ran: (.*?) *\r$/gm)].map(([, words]) => words);
        expect(ran).toEqual(TYPED.map(([, words]) => words));
      });
    });
  else
    it(`the completion of ${shell} is not tried without ${HAS_TERMINAL ? shell : 'script'}`, () => {
      sayExpected(`${HAS_TERMINAL ? shell : 'script'} is not installed: its completion is not tried`);
    });

if (has('fish'))
  describe('the completion of fish', () => {
    it.each([
      ['npx archipelago net gr', 'group'],
      ['npx archipel', 'archipelago'],
      ['archipelago vm sto', 'stop'],
    ])('completes %s', async (typed, word) => {
      const script = join(line.folder, 'completion.fish');
      await writeFile(script, (await line.run('completion', 'fish')).stdout);
      const { stdout } = spawnSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${typed}'`], {
        encoding: 'utf8',
      });
      expect(stdout.split('\n')).toContain(word);
    });
  });
else
  it('the completion of fish is not tried without fish', () => {
    sayExpected('fish is not installed: its completion is not tried');
  });
