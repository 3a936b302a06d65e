import { badRequest } from '../../../kernel/errors.js';
import { foldCase } from '../files/index/searched-name.rules.js';

/** Maximum characters of a search text. */
const MAX_TEXT_LENGTH = 256;

/** The values of the `file_type` filter and their file extensions. The counters of files have the same list: sync.type_of in SQL. */
const EXTENSIONS_BY_CATEGORY: Readonly<Record<string, readonly string[]>> = {
  image: ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.svg', '.bmp', '.ico', '.tiff'],
  video: ['.mp4', '.mov', '.avi', '.mkv', '.webm', '.flv', '.wmv'],
  audio: ['.mp3', '.wav', '.ogg', '.flac', '.aac', '.m4a', '.wma'],
  document: ['.doc', '.docx', '.xls', '.xlsx', '.ppt', '.pptx', '.txt', '.csv', '.rtf'],
  pdf: ['.pdf'],
  archive: ['.zip', '.rar', '.7z', '.tar', '.gz', '.bz2'],
  code: ['.js', '.ts', '.py', '.rs', '.go', '.java', '.c', '.cpp', '.html', '.css', '.json'],
};

/** The categories, in the order of the document; every other file is `other`. */
export const CATEGORIES: readonly string[] = Object.keys(EXTENSIONS_BY_CATEGORY);

/** Sort columns of results. */
const SORT_COLUMNS = {
  file_name: 'file_name',
  size_bytes: 'size_bytes',
  created_at: 'created_at',
  updated_at: 'updated_at',
} as const;

export type SortColumn = keyof typeof SORT_COLUMNS;

export interface Order {
  readonly column: SortColumn;
  readonly descending: boolean;
}

/** The requested order; unknown values mean newest first. */
export function readOrder(sortBy: string | null | undefined, sortOrder: string | null | undefined): Order {
  const column = Object.hasOwn(SORT_COLUMNS, sortBy ?? '') ? (sortBy as SortColumn) : 'created_at';
  return { column, descending: sortOrder?.toLowerCase() !== 'asc' };
}

/** The case-folded search text; undefined if empty. @throws BAD_REQUEST q_too_long */
export function readText(q: string | null | undefined): string | undefined {
  if (!q) return undefined;
  if (q.length > MAX_TEXT_LENGTH && [...q].length > MAX_TEXT_LENGTH)
    throw badRequest(`\`q\` must have at most ${MAX_TEXT_LENGTH} characters.`, { reason: 'q_too_long' });
  return foldCase(q);
}

/** Filter on names: one of these extensions, or this ending. */
export type TypeFilter = { readonly extensions: readonly string[] } | { readonly ending: string };

/**
 * A category or an explicit extension such as `.png`; one of several parts, `.tar.gz`, is an ending.
 * @throws BAD_REQUEST invalid_file_type
 */
export function readFileType(fileType: string | null | undefined): TypeFilter | undefined {
  if (fileType === null || fileType === undefined || fileType === '') return undefined;
  if (Object.hasOwn(EXTENSIONS_BY_CATEGORY, fileType.toLowerCase()))
    return { extensions: EXTENSIONS_BY_CATEGORY[fileType.toLowerCase()] ?? [] };
  if (!/^(?:\.[\p{L}\p{M}\p{N}_+~-]{1,32}){1,4}$/u.test(fileType)) {
    throw badRequest(`\`file_type\` must be one of ${CATEGORIES.join(', ')}, or an extension such as .png.`, {
      reason: 'invalid_file_type',
    });
  }
  const ending = foldCase(fileType);
  return ending.lastIndexOf('.') === 0 ? { extensions: [ending] } : { ending };
}

/** The category that has exactly the extensions of the filter. */
export function categoryOf(type: TypeFilter): string | undefined {
  if (!('extensions' in type)) return undefined;
  return CATEGORIES.find((name) => `${EXTENSIONS_BY_CATEGORY[name]?.join()}` === type.extensions.join());
}

/** Whether the text has one or two characters: the folders count the files with them. */
export function isShort(text: string): boolean {
  return [...text].length <= 2;
}

/** The text as a LIKE pattern, with its wildcards escaped. */
export function likePattern(text: string, where: 'anywhere' | 'end'): string {
  const literal = text.replace(/[\\%_]/g, String.raw`\$&`);
  return where === 'anywhere' ? `%${literal}%` : `%${literal}`;
}

/** SQL values of a type filter: extensions or pattern, null if unused. */
export function typeValues(
  type: TypeFilter | undefined,
): [extensions: readonly string[] | null, pattern: string | null] {
  if (!type) return [null, null];
  return 'extensions' in type ? [type.extensions, null] : [null, likePattern(type.ending, 'end')];
}

/** Whether a trigram index can be used: the text has three letters or digits in a row. */
export function hasTrigram(text: string): boolean {
  return /[a-z0-9]{3}/.test(text);
}

const MAX_INT64 = 2n ** 63n - 1n;

/** An integer bound from a decimal: rounded inwards and clamped to bigint. */
export function readBound(decimal: string | null | undefined, side: 'min' | 'max'): string | undefined {
  if (decimal === null || decimal === undefined) return undefined;
  const [whole = '0', fraction = ''] = decimal.split('.');
  const isBetween = /[1-9]/.test(fraction);
  const below = isBetween && whole.startsWith('-') ? BigInt(whole) - 1n : BigInt(whole);
  const bound = isBetween && side === 'min' ? below + 1n : below;
  return `${within(bound)}`;
}

function within(bound: bigint): bigint {
  if (bound > MAX_INT64) return MAX_INT64;
  return bound < -MAX_INT64 ? -MAX_INT64 : bound;
}
