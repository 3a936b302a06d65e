import { badRequest } from '../../../../kernel/errors.js';
import { isStorable, unstorable } from '../../../../kernel/scalars/text.js';

/** Packaging format of a version; it decides which tool downloads it. */
export type Packaging = 'modelpack' | 'kitops' | 'docker' | 'chunked' | 'plain';

/** Maximum number of search words and their length. */
const MAX_WORDS = 8;
const MAX_WORD_LENGTH = 100;

/** LIKE patterns, one per word, all of which must match; null: no search. */
export function searchPatterns(text: string | null | undefined): string[] | null {
  const words = (text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  // The longest word is the most selective, so the index uses it first.
  const longestFirst = words.toSorted((a, b) => b.length - a.length).slice(0, MAX_WORDS);
  return longestFirst.map((word) => `%${word.slice(0, MAX_WORD_LENGTH).replace(/[\\%_]/g, '\\$&')}%`);
}

/** The value of a filter; null: not set. @throws BAD_REQUEST for text that PostgreSQL cannot store */
export function filterText(name: string, text: string | null | undefined): string | null {
  if (text == null || text === '') return null;
  if (!isStorable(text)) throw badRequest(unstorable(`\`${name}\``));
  return text;
}

const BY_NUMBER = new Intl.Collator('en', { numeric: true });

/** Sorts tags: versions in descending order, `latest` last. */
export function orderTags(tags: readonly string[]): string[] {
  return tags.toSorted((a, b) => {
    const [isMoving, isOtherMoving] = [a === 'latest', b === 'latest'];
    return Number(isMoving) - Number(isOtherMoving) || BY_NUMBER.compare(b, a) || (a < b ? 1 : -1);
  });
}

/** Project of repositories whose names have one part; not a valid name in a registry. */
export const NO_PROJECT = '_';

/** Splits a repository name into project and repo. */
export function splitName(name: string): { readonly project: string; readonly repo: string } {
  const [first = '', ...rest] = name.split('/');
  return rest.length === 0 ? { project: NO_PROJECT, repo: first } : { project: first, repo: rest.join('/') };
}

/** Joins project and repo to the name in the registry. */
export function joinName(project: string, repo: string): string {
  return project === NO_PROJECT ? repo : `${project}/${repo}`;
}

/** Whether a reference is a digest; a tag never has a colon. */
export function isDigest(reference: string): boolean {
  return reference.includes(':');
}

/** The download command of each packaging, and its option for a registry without TLS. */
const TOOLS = {
  modelpack: { command: 'modctl pull', plain: ' --plain-http' },
  kitops: { command: 'kit pull', plain: ' --plain-http' },
  docker: { command: 'docker model pull', plain: '' },
  plain: { command: 'oras pull', plain: ' --plain-http' },
} as const satisfies Record<Exclude<Packaging, 'chunked'>, object>;

/** A command that downloads a version. @param registryUrl without a trailing slash */
export function pullCommand(
  registryUrl: string,
  { packaging, name, reference }: { readonly packaging: Packaging; readonly name: string; readonly reference: string },
): string {
  const { host, protocol } = new URL(registryUrl);
  if (packaging === 'chunked') return snapshotCommand(`${protocol}//${host}`, name, reference);
  const { command, plain } = TOOLS[packaging];
  const option = protocol === 'http:' ? plain : '';
  return `${command}${option} ${host}/${name}${isDigest(reference) ? '@' : ':'}${reference}`;
}

/** Only the client that pushed the chunks can join them; its command line downloads one file at a time, its library all. */
function snapshotCommand(origin: string, name: string, reference: string): string {
  const call = `snapshot_download("${name}", revision="${reference}", endpoint="${origin}")`;
  return `python3 -c 'from hippius_hub import snapshot_download; print(${call})'`;
}
