import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { openCommandLine, type CommandLine } from '../kit/command-line.js';
import { platform } from '../kit/platform.js';
import { spawnPiped, toEnd } from '../kit/run.js';

const README = readFileSync(join(packageRoot(), 'README.md'), 'utf8');

/** The session of the README: each command with what it prints. */
const SESSION = (/```\n(\$ npx archipelago login[^`]+)```/.exec(README)?.[1] ?? '')
  .split(/^\$ npx archipelago /m)
  .filter(Boolean)
  .map((part) => /^(?<command>.+)\n(?<printed>[^]*)$/.exec(part)?.groups ?? {});

const NETWORK = /```yaml\n(groups:[^`]+)```/.exec(README)?.[1] ?? '';

/** What differs from one platform and user to another. */
function plain(text: string): string {
  return text
    .replaceAll(/http:\/\/[\w.]+:\d+/g, 'URL')
    .replaceAll(/\b5[\w]{47}\b/g, 'ADDRESS')
    .replaceAll(/\b100\.[\d.]+\/\d+/g, 'RANGE')
    .replaceAll(/(?<=sh -s -- )\S+/g, 'KEY')
    .replaceAll(/(?<=net undo )\d+/g, 'ID');
}

let line: CommandLine;
beforeAll(async () => {
  line = await openCommandLine();
  await writeFile(join(line.folder, 'net.yaml'), NETWORK);
  await mkdir(join(line.folder, 'photos'));
  for (const name of ['one.txt', 'two.txt']) await writeFile(join(line.folder, 'photos', name), name);
});
afterAll(() => line.close());

/** Runs a command in the folder, as someone who has just started does. */
async function type(command: string): Promise<string> {
  const program = join(packageRoot(), 'cli/archipelago.js');
  const words = ['sh', '-c', 'cd "$0" && exec "$@"', line.folder, process.execPath, program, ...command.split(' ')];
  const env = { ARCHIPELAGO_HOME: join(line.folder, 'home'), ARCHIPELAGO_URL: platform().url };
  const { stdout, stderr, code } = await toEnd(spawnPiped(words, env));
  return code === 0 ? stdout : `${stdout}${stderr}exit status ${code}\n`;
}

describe('the commands of the README', () => {
  it('print what it says, one after the other, for someone who has just started', async () => {
    expect(SESSION.map(({ command }) => command)).toContain('net apply net.yaml --yes');
    for (const { command = '', printed = '' } of SESSION)
      expect(`${command}\n${plain(await type(command))}`).toBe(`${command}\n${plain(printed)}`);
  });
});
