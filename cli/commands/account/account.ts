import { Option, type Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { Archipelago, graphql, newMnemonic, walletOf, type SignedIn } from '../../../sdk/src/index.js';
import { EXIT, exitStatusOf, withTokenAdvice, UsageError } from '../../failure.js';
import { readText } from '../../input.js';
import { simulatedParts } from '../../simulated.js';
import { run, shellWord, withSession, type Session } from '../../session.js';
import { writeSecret } from '../../local-files/write-secret.js';

const ME = graphql(`
  query {
    me {
      id
      username
      substrateAddress
      email
      roles
      creditBalance {
        balance
        held
        debt
      }
    }
  }
`);

/** Adds `login`, `logout`, `link-wallet` and `whoami`. */
export function addAccount(program: Command): void {
  program
    .command('login')
    .description('sign in and keep the token')
    .option('--wallet <file>', 'file with a BIP-39 phrase')
    .option('--new', 'make a new phrase and write it to the file of --wallet')
    .addOption(
      new Option('--token <token>', 'use a token that you have; - reads it from standard input').conflicts([
        'wallet',
        'new',
        'browser',
      ]),
    )
    .addOption(
      new Option(
        '--browser <provider>',
        'sign in with a provider of the platform in a browser: google, github, apple, …',
      ).conflicts(['wallet', 'new']),
    )
    .action((_options, command: Command) => withSession(command, (session) => login(session, command.opts())));
  program
    .command('logout')
    .description('revoke the token of the profile and forget it')
    .action((_options, command: Command) => withSession(command, logout));
  program
    .command('link-wallet <file>')
    .description('link the wallet with the phrase in this file to your account, which has none')
    .action(run(linkWallet));
  program
    .command('whoami')
    .description('show the account')
    .action((_options, command: Command) =>
      withSession(command, async ({ client, output }) => {
        const [{ me }, simulated] = await Promise.all([client.graphql(ME), simulatedParts(client)]);
        const { creditBalance, ...account } = me;
        output.record({ ...account, credits: creditBalance?.balance, simulated });
      }),
    );
}

interface LoginOptions {
  readonly wallet?: string;
  readonly new?: boolean;
  readonly token?: string;
  readonly browser?: string;
}

async function login(session: Session, options: LoginOptions): Promise<void> {
  const { url, profiles, profileName, output } = session;
  await profiles.makeFolder(); // else a token could be issued and not be kept
  const { token, substrateAddress, username } = await signIn(session, options);
  await profiles.write(profileName, { url, token, substrateAddress });
  output.done(`signed in at ${url} as ${substrateAddress || username}`, { url, substrateAddress });
}

type Login = Pick<SignedIn, 'token' | 'substrateAddress' | 'username'>;

async function signIn(session: Session, options: LoginOptions): Promise<Login> {
  const { url } = session;
  if (options.token !== undefined) return checkToken(url, await tokenOf(options.token));
  const client = new Archipelago({ url });
  const print = (line: string) => process.stderr.write(`${line}\n`);
  if (options.browser !== undefined) {
    // Loaded only if needed: loading `node:http` takes a third of a start.
    const { signInWithBrowser } = await import('../../browser.js');
    return signInWithBrowser(client, { url, provider: options.browser, print });
  }
  if (options.wallet === undefined)
    throw new UsageError(
      options.new === true
        ? 'Give --wallet too, the file that the new phrase is written to.'
        : 'Give --wallet, --token or --browser. --wallet with --new makes an account.',
    );
  if (options.new === true) await makeWallet(options.wallet);
  return client.signIn(walletOf(await phraseIn(session, options.wallet)));
}

async function makeWallet(file: string): Promise<void> {
  await writeSecret(file, `${newMnemonic()}\n`).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new UsageError(`The wallet ${file} exists: leave out --new to sign in with it.`);
    throw new UsageError(`${file} cannot be written: ${error.message}`);
  });
}

/** @throws UsageError when the token is empty */
async function tokenOf(word: string): Promise<string> {
  const token = word === '-' ? (await readText('-')).trim() : word;
  if (token === '') throw new UsageError(word === '-' ? 'Standard input is empty.' : 'The token is empty.');
  return token;
}

async function checkToken(url: string, token: string): Promise<Login> {
  const client = new Archipelago({ url, token });
  const { me } = await client.graphql(ME).catch((error: unknown) => {
    throw withTokenAdvice(error, 'The token of --token is refused: give another.');
  });
  return { token, substrateAddress: me.substrateAddress ?? '', username: me.username };
}

/** Reads the phrase of a wallet file. */
export async function phraseIn({ program }: Session, file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new UsageError(`${file} cannot be read: ${error.message}`);
    const command = `${program} login --wallet ${shellWord(file)} --new`;
    throw new UsageError(`There is no wallet ${file}. Make one with: ${command}`);
  });
  return text.trim().split(/\s+/).join(' ');
}

async function linkWallet(session: Session, [file = '']: readonly string[]): Promise<void> {
  const { client, output } = session;
  const wallet = walletOf(await phraseIn(session, file));
  await client.linkWallet(wallet);
  const { address, substrateAddress } = wallet;
  output.done(`linked ${substrateAddress}; sign in with it by --wallet ${shellWord(file)}`, {
    address,
    substrateAddress,
  });
}

const OWN_TOKENS = graphql('query { tokens { id isCurrent } }');
const REVOKE = graphql('mutation ($id: String!) { revokeToken(id: $id) }');

/** Revokes the token of the profile, even if a variable or an option names another one. */
async function logout({ profiles, profileName, output }: Session): Promise<void> {
  const profile = await profiles.read(profileName);
  if (profile) {
    await revokeOwnToken(new Archipelago(profile)).catch((error: unknown) => {
      if (exitStatusOf(error) !== EXIT.signedOut) throw error; // else the token is revoked or expired already
    });
    await profiles.write(profileName, undefined);
  }
  output.done('signed out', { signedOut: true });
}

async function revokeOwnToken(client: Session['client']): Promise<void> {
  const { tokens } = await client.graphql(OWN_TOKENS);
  const current = tokens.find(({ isCurrent }) => isCurrent);
  if (current) await client.graphql(REVOKE, { id: current.id });
}
