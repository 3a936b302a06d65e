import { Command, CommanderError } from 'commander';
import { readFileSync } from 'node:fs';
import { addAccount } from './commands/account/account.js';
import { addAudit } from './commands/account/audit.js';
import { addCredits } from './commands/account/credits.js';
import { addTokens } from './commands/account/tokens.js';
import { addAdmin } from './commands/admin/admin.js';
import { addBuckets } from './commands/buckets.js';
import { addCertificates } from './commands/certificates.js';
import { addCompletion } from './commands/completion.js';
import { addDoctor } from './commands/doctor.js';
import { addFiles } from './commands/files/files.js';
import { addMachines } from './commands/machines/machines.js';
import { addModels } from './commands/models.js';
import { addNetwork } from './commands/network/network.js';
import { EXIT, EXIT_HELP, exitStatusOf, sentenceOf } from './failure.js';
import { warn } from './output.js';
import { DEFAULT_URL, programOf, VARIABLES_HELP } from './session.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('archipelago')
  .description('Uses an Archipelago platform from the command line.')
  .option('--profile <name>', 'account to use', process.env.ARCHIPELAGO_PROFILE || 'default')
  .option('--url <address>', `address of the platform (default: that of the profile, else ${DEFAULT_URL})`)
  .option('--json', 'print results as JSON; errors stay text on standard error')
  .addHelpText('after', `${VARIABLES_HELP}\n${EXIT_HELP}`)
  .version(version)
  .showHelpAfterError('Add --help to see the usage.')
  .exitOverride()
  .configureHelp({ showGlobalOptions: true });

const SECTIONS = [
  addAccount,
  addCredits,
  addAudit,
  addTokens,
  addMachines,
  addNetwork,
  addFiles,
  addModels,
  addBuckets,
  addCertificates,
  addAdmin,
  addDoctor,
  addCompletion,
];
for (const add of SECTIONS) add(program);

/** Options before the command of `vm ssh` that have a value in the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set(['--profile', '--url', '-l', '--login']);

for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly);

try {
  await program.parseAsync(wordsOf(process.argv.slice(2)), { from: 'user' });
} catch (error) {
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : EXIT.usage);
  for (const text of sentenceOf(error, programOf(program)).split('\n')) warn(text);
  process.exit(exitStatusOf(error));
}

/** Returns the words of a command. `help vm create` is `vm create --help`: the parser reads one word after help. */
function wordsOf(given: readonly string[]): string[] {
  const [first, ...rest] = given;
  if (first !== 'help') return withRemoteCommand(given);
  refuseUnknown(program, rest);
  return [...rest, '--help'];
}

/** Refuses words that lead to no command: the parser would show the help of the last that does. @throws CommanderError */
function refuseUnknown({ commands }: Command, [word, ...rest]: readonly string[]): void {
  if (word === undefined || word.startsWith('-') || commands.length === 0) return;
  const command = commands.find((one) => one.name() === word || one.aliases().includes(word));
  if (!command) return program.error(`error: unknown command '${word}'`);
  refuseUnknown(command, rest);
}

/** Puts `--` before the command of `vm ssh <machine> [command...]`: its options are for the machine. */
function withRemoteCommand(given: readonly string[]): string[] {
  const names: string[] = [];
  for (let at = 0; at < given.length && given[at] !== '--'; at++) {
    const word = given[at] ?? '';
    if (WITH_VALUE.has(word)) at++;
    else if (!word.startsWith('-')) names.push(word);
    if (names.length > 3) return names[0] === 'vm' && names[1] === 'ssh' ? given.toSpliced(at, 0, '--') : [...given];
  }
  return [...given];
}

/**
 * Exits like a process killed by SIGPIPE when the reader of the output has closed it, such as `| head`. The status is not 0,
 * because the command may not have finished.
 */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(EXIT.brokenPipe);
  warn(`The output cannot be written: ${error.message}`);
  process.exit(EXIT.refused);
}
