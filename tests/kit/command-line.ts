import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { platform, type Json } from './platform.js';
import { runToEnd, spawnPiped, type ExitResult } from './run.js';

/** A CLI with its own profiles. */
export interface CommandLine {
  /** An empty folder for files. */
  readonly folder: string;
  /** Runs a command to its end. */
  readonly run: (...args: readonly string[]) => Promise<ExitResult>;
  /** Runs a command with `--json`, and parses its output. @throws Error when it fails */
  readonly json: (...args: readonly string[]) => Promise<Json>;
  /** Starts a command. */
  readonly start: (...args: readonly string[]) => ReturnType<typeof spawnPiped>;
  readonly close: () => Promise<void>;
}

/** Opens a command line in a temporary folder. @param env additional environment variables */
export async function openCommandLine(env: Readonly<Record<string, string>> = {}): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'archipelago-cli-'));
  const variables = { ARCHIPELAGO_HOME: join(folder, 'home'), ARCHIPELAGO_URL: platform().url, ...env };
  const run = (...args: readonly string[]) => runToEnd(['bundle/cli.js', ...args], variables);
  const json = async (...args: readonly string[]): Promise<Json> => {
    const { code, stdout, stderr } = await run('--json', ...args);
    if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const main = join(packageRoot(), 'dist/bundle/cli.js');
  const start = (...args: readonly string[]) => spawnPiped([process.execPath, main, ...args], variables);
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
