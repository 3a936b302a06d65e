import { missing, refuse } from './refusal.js';

/** A parsed form with brackets: `a[b]=c` is `{a: {b: 'c'}}`; every leaf is text. */
export type Form = { readonly [name: string]: FormValue };
export type FormValue = string | Form;

/** Maximum number of names in a path. */
const MAX_DEPTH = 8;

/** Parses an `application/x-www-form-urlencoded` text. @throws Refusal if names are nested too deep */
export function parseForm(encoded: string): Form {
  const form = emptyForm();
  for (const [name, value] of new URLSearchParams(encoded)) put(form, pathOf(name, form), value);
  return form;
}

type Mutable = { [name: string]: string | Mutable };

/** Without a prototype, so that names such as `constructor` have no special meaning. */
function emptyForm(): Mutable {
  return Object.create(null) as Mutable;
}

/** The names in `a[b][c]`; `a[]` appends. */
function pathOf(name: string, form: Mutable): string[] {
  const [first = '', ...rest] = name.split('[').map((word) => word.replace(/\]$/, ''));
  const path = [first, ...rest];
  if (path.length > MAX_DEPTH)
    throw refuse({ message: 'The parameters are nested too deeply.', code: 'parameter_invalid' });
  return path.map((word, index) => (word === '' && index > 0 ? String(countAt(form, path.slice(0, index))) : word));
}

function countAt(form: Mutable, path: readonly string[]): number {
  let here: string | Mutable | undefined = form;
  for (const word of path) here = typeof here === 'object' ? here[word] : undefined;
  return typeof here === 'object' ? Object.keys(here).length : 0;
}

function put(form: Mutable, path: readonly string[], value: string): void {
  let here = form;
  for (const word of path.slice(0, -1)) {
    const next = here[word];
    here = typeof next === 'object' ? next : (here[word] = emptyForm());
  }
  here[path.at(-1) ?? ''] = value;
}

/** The text at a path such as `recurring[interval]`; undefined if it is missing or empty. */
export function text(form: Form, path: string): string | undefined {
  const value = at(form, path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The text at the path. @throws the refusal of a missing parameter */
export function requiredText(form: Form, path: string): string {
  const value = text(form, path);
  if (value === undefined) throw missing(path);
  return value;
}

/** Whether the path is given. An empty value unsets a field. */
export function isGiven(form: Form, path: string): boolean {
  return at(form, path) !== undefined;
}

/** The whole number at the path. @throws Refusal for anything else */
export function integer(form: Form, path: string): number | undefined {
  const value = text(form, path);
  if (value === undefined) return undefined;
  if (!/^-?\d{1,12}$/.test(value)) {
    throw refuse({ message: `Invalid integer: ${value}`, param: path, code: 'parameter_invalid_integer' });
  }
  return Number(value);
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

/** The currency at the path, in lower case. @throws Refusal for anything else */
export function currencyAt(form: Form, path: string): string {
  const currency = requiredText(form, path).toLowerCase();
  if (!CURRENCIES.has(currency)) throw refuse({ message: `Invalid currency: ${currency}`, param: path });
  return currency;
}

/** The boolean at the path. @throws Refusal for anything else */
export function boolean(form: Form, path: string): boolean | undefined {
  const value = text(form, path);
  if (value === undefined) return undefined;
  if (value !== 'true' && value !== 'false') {
    throw refuse({ message: `Invalid boolean: ${value}`, param: path, code: 'parameter_invalid_boolean' });
  }
  return value === 'true';
}

/** One of the allowed words at the path. @throws Refusal, which lists them */
export function oneOf<Word extends string>(form: Form, path: string, words: readonly Word[]): Word | undefined {
  const value = text(form, path);
  if (value === undefined) return undefined;
  const word = words.find((known) => known === value);
  if (word === undefined) {
    throw refuse({ message: `Invalid ${path}: must be one of ${words.join(', ')}`, param: path });
  }
  return word;
}

/** The texts of a list such as `expand[0]=…`; a single text counts as a list of one. */
export function texts(form: Form, path: string): string[] {
  const value = at(form, path);
  if (value === undefined || value === '') return [];
  if (typeof value === 'string') return [value];
  return Object.values(value).filter((item) => typeof item === 'string');
}

/** The paths of the forms in a list: `line_items[0]` for `line_items[0][price]=…`. */
export function pathsOf(form: Form, path: string): string[] {
  const list = part(form, path);
  return Object.keys(list)
    .filter((name) => typeof list[name] === 'object')
    .map((name) => `${path}[${name}]`);
}

/** A part of the form; empty if it is missing. */
export function part(form: Form, path: string): Form {
  const value = at(form, path);
  return typeof value === 'object' ? value : {};
}

/** Merges metadata: given keys are set, empty ones removed. @throws Refusal over the limits */
export function mergeMetadata(current: Readonly<Record<string, string>>, form: Form): Record<string, string> {
  const given = form.metadata;
  if (given === '') return {};
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(typeof given === 'object' ? given : {})) {
    if (typeof value !== 'string' || key.length > 40 || value.length > 500) {
      throw refuse({ message: 'Metadata keys have up to 40, values up to 500 characters.', param: `metadata[${key}]` });
    }
    if (value === '') merged.delete(key);
    else merged.set(key, value);
  }
  if (merged.size > 50) throw refuse({ message: 'You cannot have more than 50 metadata keys.', param: 'metadata' });
  return Object.fromEntries(merged);
}

function at(form: Form, path: string): FormValue | undefined {
  let value: FormValue | undefined = form;
  for (const name of path.split('[')) {
    if (typeof value !== 'object') return undefined;
    value = value[name.replace(/\]$/, '')];
  }
  return value;
}
