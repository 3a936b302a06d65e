import { badRequest } from '../../../../kernel/errors.js';

/** Lines unless the caller says otherwise, and at most. Source: decisions, Lists */
const USUAL_LINES = 50;
const MAX_LINES = 200;

/** Beyond every position: the largest bigint. */
const BEYOND_ALL = '9223372036854775807';

/** A stretch of a statement: how many lines, and the position they are all below. */
export interface Stretch {
  readonly lines: number;
  readonly below: string;
}

/** What was asked for, the rest filled in and the size capped. @throws BAD_REQUEST */
export function stretchOf(first: number | null | undefined, after: string | null | undefined): Stretch {
  if ((first ?? 1) < 1) throw badRequest('`first` must be at least 1.');
  if (after != null && !/^\d{1,18}$/.test(after)) throw badRequest('`after` must be the cursor of a line.');
  return { lines: Math.min(first ?? USUAL_LINES, MAX_LINES), below: after ?? BEYOND_ALL };
}
