import { badRequest } from '../../../../kernel/errors.js';

/** Default and maximum number of lines. Source: decisions, Lists */
const USUAL_LINES = 50;
const MAX_LINES = 200;

/** Above every position: the largest bigint. */
const BEYOND_ALL = '9223372036854775807';

/** A page of a statement: number of lines, and the position below which it starts. */
export interface Stretch {
  readonly lines: number;
  readonly below: string;
}

/** The requested page with defaults and a capped size. @throws BAD_REQUEST */
export function stretchOf(first: number | null | undefined, after: string | null | undefined): Stretch {
  if ((first ?? 1) < 1) throw badRequest('`first` must be at least 1.');
  if (after != null && !/^\d{1,18}$/.test(after)) throw badRequest('`after` must be the cursor of a line.');
  return { lines: Math.min(first ?? USUAL_LINES, MAX_LINES), below: after ?? BEYOND_ALL };
}
