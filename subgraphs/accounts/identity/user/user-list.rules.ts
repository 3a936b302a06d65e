import { badRequest } from '../../../../kernel/errors.js';
import { checkCursor, firstOf, invalidCursor } from '../../../../kernel/paging/paging.js';
import type { Role } from '../../../../kernel/security/viewer.js';

const MAX_SEARCH_LENGTH = 256;

/** The largest integer: higher than every id. */
const MAX_ID = 2_147_483_647;

/** The requested page of the list of users. */
export interface UserListRequest {
  readonly search: string | null;
  readonly role: Role | null;
  readonly first: number | null;
  readonly after: string | null;
}

/** A checked page of the list of users. */
export interface UserSearch {
  /** A LIKE pattern in lower case; null for all users. */
  readonly pattern: string | null;
  readonly role: Role | null;
  /** The ids of the page are lower. */
  readonly before: number;
  readonly limit: number;
}

/** Checks a requested page. @throws BAD_REQUEST also for a text without three letters or digits in a row, which no trigram index finds */
export function userSearch({ search, role, first, after }: UserListRequest): UserSearch {
  const before = Number(checkCursor(after) ?? MAX_ID);
  if (before > MAX_ID) throw invalidCursor();
  return { pattern: patternOf(search), role, before, limit: firstOf(first) };
}

function patternOf(search: string | null): string | null {
  if (search === null || search === '') return null;
  if (search.length > MAX_SEARCH_LENGTH || !/[a-z\d]{3}/i.test(search))
    throw badRequest(
      `\`search\` must have three letters or digits in a row, and at most ${MAX_SEARCH_LENGTH} characters.`,
    );
  return `%${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
