import { PlatformError } from '../sdk/src/index.js';

/** Exit statuses. */
export const EXIT = { refused: 1, usage: 2, signedOut: 3, unreachable: 4, interrupted: 130, brokenPipe: 141 } as const;

/** What each exit status means, for the help. */
export const EXIT_HELP = `
Exit status: 0 done, 1 refused or no, 2 wrong usage, 3 not signed in, 4 the platform does not answer, 130 interrupted,
141 nobody reads the output any longer.`;

/** Source: GraphQL, Int has 32 bits */
const MAX_ID = 2 ** 31 - 1;

/** A mistake of the caller that the platform never saw. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Reads an id, a whole number of GraphQL. @throws UsageError when it is none */
export function idOf(word: string): number {
  const id = /^\d{1,10}$/.test(word) ? Number(word) : Infinity;
  if (id > MAX_ID) throw new UsageError(`"${word}" is not an id: an id is a whole number.`);
  return id;
}

/** Reads the value of an option, a whole number from 1. @throws UsageError when it is none */
export function countOf(word: string): number {
  const count = /^\d{1,9}$/.test(word) ? Number(word) : 0;
  if (count === 0) throw new UsageError(`"${word}" is not a whole number from 1.`);
  return count;
}

/** Reads an amount of credits. The platform checks its range. @throws UsageError when it is no decimal number */
export function amountOf(word: string): string {
  if (!/^\d+(?:\.\d+)?$/.test(word)) throw new UsageError(`"${word}" is not an amount: write digits, such as 12.5.`);
  return word;
}

/** Returns the exit status for an error. */
export function exitStatusOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof Interrupted) return EXIT.interrupted;
  if (!(error instanceof PlatformError)) return EXIT.refused;
  if (error.code === 'NETWORK') return EXIT.unreachable;
  return error.status === 401 || error.code === 'UNAUTHENTICATED' ? EXIT.signedOut : EXIT.refused;
}

/** What the platform tells a REST client to do, and the command for it, with PROGRAM for the words before a subcommand. */
const COMMANDS: readonly (readonly [request: string, command: string])[] = [
  ['can join: POST /api/network/provision/ first.', 'can join: use PROGRAM net provision first, or --no-join.'],
  ['call POST /api/network/provision/ first.', 'use PROGRAM net provision first.'],
  ['Invalid mnemonic', 'The wallet file has no valid BIP-39 phrase.'],
  ['Sign in first: send an Authorization header with a valid token.', 'You are not signed in.'],
  ['Sign in with connectionParams { Authorization: "Token …" }.', 'You are not signed in.'],
];

/** Returns what the caller reads of an error. @param program the words before a subcommand */
export function sentenceOf(error: unknown, program: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const sentence = COMMANDS.reduce(
    (text, [request, command]) => text.replace(request, () => command.replace('PROGRAM', () => program)),
    message,
  );
  return exitStatusOf(error) === EXIT.signedOut ? `${sentence} Sign in with: ${program} login` : sentence;
}
