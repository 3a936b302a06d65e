import { badRequest } from '../../../../kernel/errors.js';
import { isStorable } from '../../../../kernel/text.js';

/** How a version is packed, which says what fetches it. */
export type Packaging = 'modelpack' | 'kitops' | 'docker' | 'plain';

/** Words of a search that are looked at, and characters of each. */
const MAX_WORDS = 8;
const MAX_WORD_LENGTH = 100;

/** Patterns for LIKE, one a word, all of which must match; null: nothing is looked for. */
export function searchPatterns(text: string | null | undefined): string[] | null {
  const words = (text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  // The longest finds the fewest: the index is asked for it.
  const longestFirst = words.toSorted((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  return longestFirst.map((word) => `%${word.slice(0, MAX_WORD_LENGTH).replace(/[\\%_]/g, '\\$&')}%`);
}

/** The text of a filter; null: it is not set. @throws BAD_REQUEST for what cannot be kept */
export function filterText(name: string, text: string | null | undefined): string | null {
  if (text == null || text === '') return null;
  if (!isStorable(text)) throw badRequest(`\`${name}\` must not contain U+0000 or an unpaired surrogate.`);
  return text;
}

const BY_NUMBER = new Intl.Collator('en', { numeric: true });

/** The most telling tag first: versions downwards, and `latest`, which says nothing of what it is, at the end. */
export function orderTags(tags: readonly string[]): string[] {
  return tags.toSorted((a, b) => {
    const [isMoving, isOtherMoving] = [a === 'latest', b === 'latest'];
    return Number(isMoving) - Number(isOtherMoving) || BY_NUMBER.compare(b, a) || (a < b ? 1 : -1);
  });
}

/** Name of a project for repositories whose names have one part; no project of a registry can have it. */
export const NO_PROJECT = '_';

/** The two parts of a repository’s name by which it is known here. */
export function splitName(name: string): { readonly project: string; readonly repo: string } {
  const [first = '', ...rest] = name.split('/');
  return rest.length === 0 ? { project: NO_PROJECT, repo: first } : { project: first, repo: rest.join('/') };
}

/** The repository’s name in the registry. */
export function joinName(project: string, repo: string): string {
  return project === NO_PROJECT ? repo : `${project}/${repo}`;
}

/** Whether a reference is a digest; a tag never has a colon. */
export function isDigest(reference: string): boolean {
  return reference.includes(':');
}

/** What fetches each packaging, and how it is told that the registry has no TLS. */
const TOOLS = {
  modelpack: { command: 'modctl pull', plain: ' --plain-http' },
  kitops: { command: 'kit pull', plain: ' --plain-http' },
  docker: { command: 'docker model pull', plain: '' },
  plain: { command: 'oras pull', plain: ' --plain-http' },
} as const satisfies Record<Packaging, object>;

/** A command line that fetches a version. @param registryUrl without a trailing slash */
export function pullCommand(
  registryUrl: string,
  { packaging, name, reference }: { readonly packaging: Packaging; readonly name: string; readonly reference: string },
): string {
  const { host, protocol } = new URL(registryUrl);
  const { command, plain } = TOOLS[packaging];
  const option = protocol === 'http:' ? plain : '';
  return `${command}${option} ${host}/${name}${isDigest(reference) ? '@' : ':'}${reference}`;
}
