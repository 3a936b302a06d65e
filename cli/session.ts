import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { Archipelago, graphql, type SocketState } from '../sdk/src/index.js';
import { Interrupted, inWordsOf, withTokenAdvice, UsageError } from './failure.js';
import { Output } from './output.js';
import { ProfileStore, type Profile } from './profile.js';

/** Environment variables, for the help. */
export const VARIABLES_HELP = `
Environment:
  ARCHIPELAGO_URL         address of the platform, same as --url
  ARCHIPELAGO_PROFILE     account to use, same as --profile
  ARCHIPELAGO_TOKEN       API token; overrides that of the profile
  ARCHIPELAGO_TOKEN_FILE  file with that token
  ARCHIPELAGO_HOME        folder of the profiles (default: ~/.config/archipelago)`;

const ADDRESS = graphql('query { me { substrateAddress } }');

export const DEFAULT_URL = 'http://localhost:4000';
/** Milliseconds that an interrupted command has to clean up. */
const CLEANUP_TIMEOUT_MS = 1000;

/** The client, the output and the account of a command. */
export interface Session {
  readonly client: Archipelago;
  readonly output: Output;
  readonly url: string;
  /** SS58 address of the account. @throws PlatformError when not signed in, UsageError when the account has no address */
  readonly owner: () => Promise<string>;
  readonly profiles: ProfileStore;
  readonly profileName: string;
  /** The words before a subcommand in a command for the same account. */
  readonly program: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

interface GlobalOptions {
  readonly profile: string;
  readonly url?: string;
  readonly json?: boolean;
}

/**
 * Runs the work with the client of the chosen profile, and closes the client. Ctrl-C aborts `signal` and gives the command
 * `CLEANUP_TIMEOUT_MS` to finish.
 */
export async function withSession(command: Command, work: (session: Session) => Promise<void>): Promise<void> {
  const interrupt = new AbortController();
  const session = await openSession(command, interrupt.signal);
  const interrupted = new Promise<never>((_resolve, reject) => {
    // Not once: npm forwards the signal that the terminal sends to this process too.
    process.on('SIGINT', () => {
      if (interrupt.signal.aborted) return;
      interrupt.abort();
      void session.client.close();
      // Work that honours the signal removes its partial files within this time.
      setTimeout(() => reject(new Interrupted('Interrupted.')), CLEANUP_TIMEOUT_MS).unref();
    });
  });
  try {
    await Promise.race([work(session), interrupted]);
  } catch (error) {
    throw interrupt.signal.aborted ? new Interrupted('Interrupted.') : withSource(inWordsOf(command, error));
  } finally {
    await session.client.close();
  }
  if (interrupt.signal.aborted) throw new Interrupted('Interrupted.');
}

/** Returns the error; says where the token is that the platform refused if the environment names one. */
function withSource(error: unknown): unknown {
  const { ARCHIPELAGO_TOKEN: token, ARCHIPELAGO_TOKEN_FILE: file } = process.env;
  const source = token ? 'ARCHIPELAGO_TOKEN' : 'ARCHIPELAGO_TOKEN_FILE';
  return token || file ? withTokenAdvice(error, `The token of ${source} is refused: unset or replace it.`) : error;
}

type Work<Options> = (session: Session, args: readonly string[], options: Options) => Promise<void>;

/** Returns the action of a command: opens the session and passes the arguments and options. */
export function run<Options extends object>(work: Work<Options>): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    await withSession(command, (session) => work(session, command.args, command.opts()));
  };
}

async function openSession(command: Command, signal: AbortSignal): Promise<Session> {
  const { profile: profileName, url: givenUrl, json = false } = command.optsWithGlobals<GlobalOptions>();
  const profiles = ProfileStore.ofUser(process.env);
  const profile = await profiles.read(profileName);
  const url = addressOf(givenUrl, profile);
  const ownToken = await tokenIn(process.env);
  // A token is only sent to the platform that issued it, and says whose account it is.
  const saved = ownToken === undefined && profile && withoutSlash(profile.url) === url ? profile : undefined;
  const token = ownToken ?? saved?.token;
  const client = new Archipelago({ url, token, onSocketState: lossReporter() });
  return {
    client,
    output: new Output(json),
    url,
    owner: () => ownerOf(client, saved, programOf(command)),
    profiles,
    profileName,
    program: programOf(command),
    signal,
  };
}

/** Returns the name of the program with the profile and the address that were given as options, for a shell. */
export function programOf(command: Command): string {
  const given = ['profile', 'url'].filter((name) => command.getOptionValueSourceWithGlobals(name) === 'cli');
  const options = given.map((name) => `--${name} ${shellWord(String(command.optsWithGlobals()[name]))}`);
  return ['archipelago', ...options].join(' ');
}

/** Quotes a word for a shell if it needs that. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns a listener that says on standard error when the websocket is lost, and when it is back. */
function lossReporter(): (state: SocketState) => void {
  let isLost = false;
  return (state) => {
    const wasLost = isLost;
    if (state === 'lost' || state === 'live') isLost = state === 'lost';
    if (isLost && !wasLost) process.stderr.write('The connection is lost; trying again.\n');
    if (wasLost && !isLost) process.stderr.write('The connection is back.\n');
  };
}

/** Reads the token of the environment: `$ARCHIPELAGO_TOKEN`, else the file of `$ARCHIPELAGO_TOKEN_FILE`. Empty counts as unset. */
async function tokenIn(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { ARCHIPELAGO_TOKEN: token, ARCHIPELAGO_TOKEN_FILE: file } = environment;
  if (token) return token;
  if (!file) return undefined;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The file of ARCHIPELAGO_TOKEN_FILE cannot be read: ${error.message}`);
  });
  return text.trim();
}

/** What follows the address of a platform in addresses of its API. */
const API_PATH = /\/(?:graphql|api(?:\/docs)?)$/;

/**
 * Returns the address of the option, of the environment or of the profile, in the form in which addresses are compared.
 * @throws UsageError, with the address to write if it is known
 */
function addressOf(option: string | undefined, profile: Profile | undefined): string {
  const given = option ?? (process.env.ARCHIPELAGO_URL || undefined);
  if (given === undefined) return withoutSlash(profile?.url ?? DEFAULT_URL);
  if (!/^https?:/i.test(given) || !URL.canParse(given))
    throw new UsageError(`"${given}" is not an http or https URL${proposalFor(given)}.`);
  const address = withoutSlash(given);
  const root = address.replace(API_PATH, '');
  if (root !== address)
    throw new UsageError(`"${given}" is an address of the API, not of the platform: write ${root}.`);
  return address;
}

/** Proposes an address for one without a scheme: http for an IP address or a name without a dot, else https. */
function proposalFor(given: string): string {
  const scheme = /^[^:/]*\.[a-z][\w-]*(?:[:/]|$)/i.test(given) ? 'https' : 'http';
  const url = `${scheme}://${given}`;
  if (given === '' || given.includes('://') || !URL.canParse(url)) return '';
  return `: write ${withoutSlash(url).replace(API_PATH, '')}`;
}

function withoutSlash(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}

async function ownerOf(client: Archipelago, saved: Profile | undefined, program: string): Promise<string> {
  const address = saved?.substrateAddress || (await client.graphql(ADDRESS)).me.substrateAddress;
  // Empty: an account without a wallet.
  if (!address)
    throw new UsageError(
      `This account has no SS58 address, so it has no files. Link a wallet with: ${program} link-wallet FILE`,
    );
  return address;
}
