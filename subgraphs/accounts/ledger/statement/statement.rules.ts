import { checkCursor, firstOf } from '../../../../kernel/paging/paging.js';

/** The largest bigint: higher than every position. */
const MAX_BIGINT = '9223372036854775807';

/** A requested page of a statement: number of lines, and the position below which it starts. */
export interface StatementRange {
  readonly lines: number;
  readonly below: string;
}

/** The requested page with defaults and a capped size. @throws BAD_REQUEST */
export function statementRange(first: number | null | undefined, after: string | null | undefined): StatementRange {
  return { lines: firstOf(first), below: checkCursor(after) ?? MAX_BIGINT };
}
