import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A setting that cannot be used; the message has one line for each, for the operator. */
export class ConfigError extends Error {}

/** Variables by name, as the process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings by name: the variable of each, and its schema. A variable without a value is undefined. */
type Shape = Readonly<Record<string, readonly [variable: string, schema: z.ZodType]>>;
type Settings<S extends Shape> = { readonly [Name in keyof S]: z.infer<S[Name][1]> };

export type Schemas = Readonly<Record<string, z.ZodType>>;
export type Outputs<S extends Schemas> = { readonly [Name in keyof S]: z.infer<S[Name]> };

/**
 * A schema of settings, which reads their variables from the whole environment. The message of a fault is what follows
 * the name of the variable; it must not repeat a value that may be a secret. `findFaults` finds faults of several
 * variables together, by the name of one, also where one has a fault of its own.
 */
export function settings<const S extends Shape>(
  shape: S,
  findFaults: (found: Settings<S>) => Readonly<Record<string, string | false>> = () => ({}),
) {
  const entries = Object.entries(shape);
  const read = (env: unknown) =>
    Object.fromEntries(entries.map(([, [variable]]) => [variable, valueOf(env as Environment, variable)]));
  const named = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(entries.map(([name, [variable]]) => [name, values[variable]])) as Settings<S>;
  const variables = z.object(Object.fromEntries(entries.map(([, variable]) => variable)));
  const checked = variables.superRefine(
    (values, context) => {
      for (const [variable, message] of Object.entries(findFaults(named(values))))
        if (message !== false) context.addIssue({ code: 'custom', path: [variable], message });
    },
    { when: () => true },
  );
  return z.preprocess(read, checked).transform(named);
}

/** Reads each schema from the environment, and adds the faults of all to the issues; `missing` is said of a variable that must be set. */
export function readAll<S extends Schemas>(
  schemas: S,
  env: unknown,
  issues: z.core.$ZodRawIssue[],
  missing?: string,
): Outputs<S> {
  const read = Object.entries(schemas).map(([name, schema]) => {
    const { data, error } = schema.safeParse(env, { reportInput: true });
    for (const { path, message, input } of error?.issues ?? [])
      issues.push({ code: 'custom', path, input, message: (input === undefined && missing) || message });
    return [name, data] as const;
  });
  return Object.fromEntries(read) as Outputs<S>;
}

/** Several schemas of one environment. */
export function group<S extends Schemas>(schemas: S) {
  return z.transform((env, { issues }) => readAll(schemas, env, issues));
}

/** The settings that the value of one variable chooses, the first where it is unset. Variables of the others are not read. */
export function chosenBy<Choices extends Schemas>(variable: string, choices: Choices) {
  const [first = '', ...others] = Object.keys(choices);
  const word = settings({ chosen: [variable, oneOf(first, ...others).default(first)] });
  return z.transform((env, { issues }) => {
    const chosen = word.safeParse(env).data?.chosen;
    const schema = chosen === undefined ? word : choices[chosen];
    const found = schema && readAll({ schema }, env, issues, `must be set: ${variable} is "${chosen}".`);
    return found?.schema as z.infer<Choices[keyof Choices]>;
  });
}

/** The value of the variable, or the content of the file that `<name>_FILE` names, without blanks around it. An error stands for a file that cannot be read. */
export function valueOf(env: Environment, name: string): string | ConfigError | undefined {
  const value = trimmed(env[name]);
  const file = trimmed(env[`${name}_FILE`]);
  if (file === undefined) return value;
  if (value !== undefined) return new ConfigError(`Set ${name} or ${name}_FILE, not both.`);
  try {
    return trimmed(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return new ConfigError(`${name}_FILE names ${file}, which cannot be read (${code}).`);
  }
}

function trimmed(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}

/** The lines that an operator reads: the first fault of each variable. */
export function linesOf(issues: readonly z.core.$ZodRawIssue[]): string[] {
  const lines = new Map<string, string>();
  for (const { path = [], message, input } of issues) {
    const name = path.filter((part) => typeof part === 'string').join('_');
    if (!lines.has(name)) lines.set(name, input instanceof ConfigError ? input.message : `${name} ${message}`);
  }
  return [...lines.values()];
}

/** Any text. */
export const text = z.string();

/** One of these words. */
export function oneOf<const Words extends readonly string[]>(...words: Words) {
  return z.enum(words, { error: ({ input }) => `is "${String(input)}"; it must be one of ${words.join(', ')}.` });
}

/** A whole number within these. */
export function wholeNumber(from: number, to: number) {
  const isWithin = (value: string) => /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to;
  const error = ({ input }: { readonly input?: unknown }) =>
    `is "${String(input)}"; it must be a number from ${from} to ${to}.`;
  return text.refine(isWithin, { error }).transform(Number);
}

/** A text that matches; `expected` says what the variable must be. */
export function matching(pattern: RegExp, expected: string) {
  return text.regex(pattern, { error: `must be ${expected}.` });
}

/** A secret that travels in a header. */
export const headerSecret = matching(/^[\x21-\x7e]+$/, 'printable ASCII without spaces, as it travels in a header');

/** The texts between commas, without empty ones. */
export function listOf<Item extends z.ZodType<unknown, string>>(item: Item) {
  return text
    .default('')
    .transform((value) => value.split(',').flatMap((part) => trimmed(part) ?? []))
    .pipe(z.array(item));
}

/** What web addresses begin with. */
export const HTTP = ['http:', 'https:'] as const;

/** A URL of one of these protocols. The value may hold a password: the message does not repeat it. */
export function urlOf(...protocols: readonly string[]) {
  const starts = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return text.refine((value) => isUrlOf(protocols, value), `is not a URL that starts with ${starts}`);
}

/** Whether the value is a URL of one of these protocols. */
export function isUrlOf(protocols: readonly string[], value: string): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

/** The URL without the slashes at its end. */
export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
