import { badRequest } from '../../../kernel/errors.js';

/** Files a page holds unless the caller says otherwise, and at most. Source: folder-sync document, Search query parameters */
const USUAL_LIMIT = 25;

const MAX_LIMIT = 10_000;

/** The page asked for: what is beyond the cap is cut. @throws BAD_REQUEST below 0 */
export function readPage(
  offset: number | null | undefined,
  limit: number | null | undefined,
  { usual = USUAL_LIMIT, most = MAX_LIMIT }: { readonly usual?: number; readonly most?: number } = {},
): { readonly offset: number; readonly limit: number } {
  if ((offset ?? 0) < 0) throw badRequest('`offset` must be at least 0.', { reason: 'invalid_manifest' });
  if ((limit ?? 0) < 0) throw badRequest('`limit` must be at least 0.', { reason: 'invalid_manifest' });
  return { offset: offset ?? 0, limit: Math.min(limit ?? usual, most) };
}
