import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { platform, type Json } from './platform.js';
import { runToEnd, spawnPiped, type Ended } from './run.js';

/** The command line of a person, with profiles of its own. */
export interface CommandLine {
  /** An empty folder for files. */
  readonly folder: string;
  /** Runs a command to its end. */
  readonly run: (...words: readonly string[]) => Promise<Ended>;
  /** Runs a command with `--json`, and parses its output. @throws Error when it fails */
  readonly json: (...words: readonly string[]) => Promise<Json>;
  /** Starts a command. */
  readonly start: (...words: readonly string[]) => ReturnType<typeof spawnPiped>;
  readonly close: () => Promise<void>;
}

/** Opens a command line in a temporary folder. @param env more variables of its processes */
export async function openCommandLine(env: Readonly<Record<string, string>> = {}): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'archipelago-cli-'));
  const variables = { ARCHIPELAGO_HOME: join(folder, 'home'), ARCHIPELAGO_URL: platform().url, ...env };
  const run = (...words: readonly string[]) => runToEnd(['bundle/cli.js', ...words], variables);
  const json = async (...words: readonly string[]): Promise<Json> => {
    const { code, stdout, stderr } = await run('--json', ...words);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const main = join(packageRoot(), 'dist/bundle/cli.js');
  const start = (...words: readonly string[]) => spawnPiped([process.execPath, main, ...words], variables);
  return { folder, run, json, start, close: () => rm(folder, { recursive: true, force: true }) };
}

/** Opens a command line and signs in with a new wallet, `wallet` in its folder. Returns the account too. */
export async function signedInCommandLine(
  env: Readonly<Record<string, string>> = {},
): Promise<CommandLine & { readonly wallet: string; readonly substrateAddress: string }> {
  const line = await openCommandLine(env);
  const wallet = join(line.folder, 'wallet');
  const { substrateAddress } = await line.json('login', '--wallet', wallet, '--new');
  return { ...line, wallet, substrateAddress };
}
