import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Invalid settings. The message is for the operator: one line per setting. */
export class ConfigError extends Error {}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings by name: the variable and the schema of each. An empty variable is undefined. */
type Shape = Readonly<Record<string, readonly [variable: string, schema: z.ZodType]>>;
type Settings<S extends Shape> = { readonly [Name in keyof S]: z.infer<S[Name][1]> };

export type Schemas = Readonly<Record<string, z.ZodType>>;
export type Outputs<S extends Schemas> = { readonly [Name in keyof S]: z.infer<S[Name]> };

/**
 * Returns a schema that reads settings from the environment. Error messages follow the name of the variable and must not
 * repeat a value that may be a secret. `findFaults` checks variables together and returns messages by variable; it also
 * runs when a variable is invalid by itself.
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

/** Reads each schema from the environment and adds all errors to the issues. @param missing the message for a required variable that is not set */
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

/** Combines several schemas of one environment. */
export function group<S extends Schemas>(schemas: S) {
  return z.transform((env, { issues }) => readAll(schemas, env, issues));
}

/** Returns the settings chosen by the value of one variable; the first if it is unset. Variables of other choices are not read. */
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

/** Returns the trimmed value of the variable, or the content of the file in `<name>_FILE`; an error if that file is empty or cannot be read. */
export function valueOf(env: Environment, name: string): string | ConfigError | undefined {
  const value = trimmed(env[name]);
  const file = trimmed(env[`${name}_FILE`]);
  if (file === undefined) return value;
  if (value !== undefined) return new ConfigError(`Set ${name} or ${name}_FILE, not both.`);
  try {
    return trimmed(readFileSync(file, 'utf8')) ?? new ConfigError(`${name}_FILE names ${file}, which is empty.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return new ConfigError(`${name}_FILE names ${file}, which cannot be read (${code}).`);
  }
}

function trimmed(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}

/** Returns one line per variable for the operator: its first error. */
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

/** One of the given words. */
export function oneOf<const Words extends readonly string[]>(...words: Words) {
  return z.enum(words, { error: ({ input }) => `is "${String(input)}"; it must be one of ${words.join(', ')}.` });
}

/** A whole number in an inclusive range. */
export function wholeNumber(from: number, to: number) {
  const isWithin = (value: string) => /^\d{1,9}$/.test(value) && Number(value) >= from && Number(value) <= to;
  const error = ({ input }: { readonly input?: unknown }) =>
    `is "${String(input)}"; it must be a number from ${from} to ${to}.`;
  return text.refine(isWithin, { error }).transform(Number);
}

/** A text that matches the pattern. @param expected completes the message "must be …" */
export function matching(pattern: RegExp, expected: string) {
  return text.regex(pattern, { error: `must be ${expected}.` });
}

/** A secret that is sent in an HTTP header. */
export const headerSecret = matching(
  /^[\x21-\x7e]+$/,
  'printable ASCII without spaces, because it is sent in a header',
);

/** A comma-separated list; empty items are ignored. */
export function listOf<Item extends z.ZodType<unknown, string>>(item: Item) {
  return text
    .default('')
    .transform((value) => value.split(',').flatMap((part) => trimmed(part) ?? []))
    .pipe(z.array(item));
}

/** The protocols of HTTP URLs. */
export const HTTP = ['http:', 'https:'] as const;

/** A URL with one of the protocols. The error does not repeat the value, which may contain a password. */
export function urlOf(...protocols: readonly string[]) {
  const starts = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return text.refine((value) => isUrlOf(protocols, value), `is not a URL that starts with ${starts}`);
}

/** Whether the value is a URL with one of the protocols. */
export function isUrlOf(protocols: readonly string[], value: string): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

/** Returns the URL without trailing slashes. */
export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
