import { readFileSync } from 'node:fs';

/** A variable that cannot be used; the message is one line for the operator. */
export class ConfigError extends Error {}

/** Variables by name, as the process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The value, which must match. @throws ConfigError */
export function readMatching(env: Environment, name: string, pattern: RegExp): string | undefined {
  const value = read(env, name);
  if (value !== undefined && !pattern.test(value))
    throw new ConfigError(`${name} does not look like ${pattern.source}.`);
  return value;
}

/** The value, which must be a whole number within these. @throws ConfigError */
export function readNumber(
  env: Environment,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined {
  const value = read(env, name);
  if (value === undefined) return undefined;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= from && number <= to) return number;
  throw new ConfigError(`${name} is "${value}"; it must be a number from ${from} to ${to}.`);
}

/** The value, or the content of the file that `<name>_FILE` names, without blanks around it; empty is unset. @throws ConfigError */
export function read(env: Environment, name: string): string | undefined {
  const value = blankless(env[name]);
  const file = blankless(env[`${name}_FILE`]);
  if (file === undefined) return value;
  if (value !== undefined) throw new ConfigError(`Set ${name} or ${name}_FILE, not both.`);
  try {
    return blankless(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read (${code}).`);
  }
}

function blankless(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === '' ? undefined : text;
}

/** Minimum characters of a secret. */
const MIN_SECRET_LENGTH = 16;

/** A secret that travels in a header. @throws ConfigError without its value */
export function readSecret(env: Environment, name: string): string | undefined {
  const secret = read(env, name);
  if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret))
    throw new ConfigError(`${name} must be printable ASCII without spaces, as it travels in a header.`);
  if (secret !== undefined && secret.length < MIN_SECRET_LENGTH)
    throw new ConfigError(`${name} must have at least ${MIN_SECRET_LENGTH} characters.`);
  return secret;
}

/** The values between commas, without empty ones. */
export function readList(env: Environment, name: string): string[] {
  return (read(env, name) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The value, which must be a URL of one of these protocols, e.g. `https:`. @throws ConfigError */
export function readUrl(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const value = read(env, name);
  return value === undefined ? undefined : checkUrl(name, value, protocols);
}

/** The same for a value at hand. @throws ConfigError */
export function checkUrl(name: string, value: string, protocols: readonly string[]): string {
  const allowed = protocols.map((protocol) => `${protocol}//`).join(' or ');
  // The value may hold a password: the complaint names the variable only.
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(`${name} is not a URL that starts with ${allowed}`);
  }
  return value;
}

/** The value, which must be one of these words. @throws ConfigError */
export function readOneOf(env: Environment, name: string, allowed: readonly string[]): string | undefined {
  const value = read(env, name);
  if (value !== undefined && !allowed.includes(value)) {
    throw new ConfigError(`${name} is "${value}"; it must be one of ${allowed.join(', ')}.`);
  }
  return value;
}

/** What web addresses begin with. */
export const HTTP = ['http:', 'https:'];
