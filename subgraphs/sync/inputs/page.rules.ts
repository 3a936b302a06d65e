import { badRequest } from '../../../kernel/errors.js';

/** Default and maximum page size. */
const DEFAULT_LIMIT = 25;

const MAX_LIMIT = 10_000;

/** The requested page; a limit above the maximum is reduced. @throws BAD_REQUEST below 0 */
export function readPage(
  offset: number | null | undefined,
  limit: number | null | undefined,
  {
    defaultLimit = DEFAULT_LIMIT,
    maxLimit = MAX_LIMIT,
  }: { readonly defaultLimit?: number; readonly maxLimit?: number } = {},
): { readonly offset: number; readonly limit: number } {
  if ((offset ?? 0) < 0) throw badRequest('`offset` must be a whole number from 0.', { reason: 'invalid_manifest' });
  if ((limit ?? 0) < 0) throw badRequest('`limit` must be a whole number from 0.', { reason: 'invalid_manifest' });
  return { offset: offset ?? 0, limit: Math.min(limit ?? defaultLimit, maxLimit) };
}
