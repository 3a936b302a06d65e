import type { Command } from 'commander';
import { PlatformError } from '../sdk/src/index.js';

/** Exit statuses. */
export const EXIT = { refused: 1, usage: 2, signedOut: 3, unreachable: 4, interrupted: 130, brokenPipe: 141 } as const;

/** What each exit status means, for the help. */
export const EXIT_HELP = `
Exit status: 0 done, 1 refused or no, 2 wrong usage, 3 not signed in, 4 the platform does not answer, 130 interrupted,
141 nobody reads the output any longer.`;

/** Source: GraphQL, Int has 32 bits */
const MAX_ID = 2 ** 31 - 1;

const TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/i;

/** A mistake of the caller that the platform never saw. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The platform refuses a token that did not come from a profile. */
class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
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
  if (count === 0) throw new UsageError(`"${word}" is not a whole number from 1 to 999999999.`);
  return count;
}

/** Reads a port. @throws UsageError when it is none */
export function portOf(word: string): number {
  const port = Number(word);
  if (port < 1 || port > 65_535) throw new UsageError(`${word} is not a port: ports are from 1 to 65535.`);
  return port;
}

/** Reads a time, or a date for its start in UTC. @throws UsageError when it is neither */
export function timeOf(word: string): string {
  const [, date = '', time = 'T00:00:00Z'] = TIME.exec(word) ?? [];
  const isDate = Number.isFinite(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
  if (isDate && Number.isFinite(Date.parse(date + time))) return date + time;
  throw new UsageError(`"${word}" is not a time: write 2026-01-31T00:00:00Z, or 2026-01-31 for its start in UTC.`);
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
  if (error instanceof TokenRefused) return EXIT.signedOut;
  if (!(error instanceof PlatformError)) return EXIT.refused;
  if (isUnreachable(error)) return EXIT.unreachable;
  return isSignedOut(error) ? EXIT.signedOut : EXIT.refused;
}

/** Statuses of a proxy whose platform does not answer. */
const PROXY_STATUSES: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Whether the platform does not answer, also behind a proxy, whose answer has no error of the platform. */
function isUnreachable({ code, status, body }: PlatformError): boolean {
  return code === 'NETWORK' || (PROXY_STATUSES.has(status) && body === undefined);
}

/** Codes of errors after which a mutation may have had its effect. */
const UNKNOWN_OUTCOMES: ReadonlySet<string | undefined> = new Set(['NETWORK', 'INTERNAL', 'UNAVAILABLE', undefined]);

/** Whether the platform has refused a mutation, so that it had no effect. */
export function isRefusal(error: unknown): boolean {
  return error instanceof PlatformError && !UNKNOWN_OUTCOMES.has(error.code);
}

/** Returns the error of the platform with one more sentence; every other error as it is. */
export function withAdvice(error: unknown, advice: string): unknown {
  if (!(error instanceof PlatformError)) return error;
  return new PlatformError(`${error.message.replace(/\.?$/, '.')} ${advice}`, error.status, error.code, error.body);
}

function isSignedOut(error: unknown): boolean {
  return error instanceof PlatformError && (error.status === 401 || error.code === 'UNAUTHENTICATED');
}

/** Adds advice to an error by which a token is refused: where it came from, and what to do. Returns other errors as they are. */
export function withTokenAdvice(error: unknown, advice: string): unknown {
  return error instanceof PlatformError && isSignedOut(error) ? new TokenRefused(`${error.message} ${advice}`) : error;
}

/** Options and arguments by the fields of the API that they give, where the names differ. */
const WORDS: Readonly<Record<string, string>> = {
  actions: 'access',
  allowedPrefixes: 'prefix',
  blockNumber: 'block',
  bucketNames: 'bucket',
  customerId: 'customer',
  expiresAt: 'expires',
  fileType: 'type',
  priceUsd: 'usd',
  q: 'words',
  sshPublicKey: 'key',
  substrateAddress: 'address',
  vmLabel: 'label',
};

/**
 * Returns the error. Where it names a field of the API, such as `creditsPerHour`, it names the option or the argument of the
 * command instead, `--credits-per-hour`.
 */
export function inWordsOf(command: Command, error: unknown): unknown {
  if (!(error instanceof PlatformError)) return error;
  const typed = new Map([
    ...command.options.map((option) => [option.attributeName(), option.long ?? option.flags] as const),
    ...command.registeredArguments.map((argument) => [argument.name(), `<${argument.name()}>`] as const),
  ]);
  const message = error.message.replaceAll(/`(\w+)`/g, (given, field: string) => {
    const name = field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return typed.get(WORDS[name] ?? name) ?? given;
  });
  return new PlatformError(message, error.status, error.code, error.body);
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
  return isSignedOut(error) ? `${sentence} Sign in with: ${program} login` : sentence;
}
