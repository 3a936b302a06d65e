import { badRequest } from '../../../kernel/errors.js';

/** Default and maximum page size. */
export const BROWSE_PAGE = { defaultLimit: 50, maxLimit: 200 } as const;

/** The directory without leading and trailing slashes; empty for the root. @throws BAD_REQUEST for `..` and backslashes */
export function readDirectory(path: string | null | undefined): string {
  const parts = (path ?? '').replace(/^\/+|\/+$/g, '');
  if (parts.includes('\\') || parts.split('/').includes('..')) {
    throw badRequest('`path` must be segments separated by `/`; `..` and backslashes are not allowed.', {
      reason: 'invalid_manifest',
    });
  }
  return parts;
}

/** Sort columns of files. */
export type BrowseColumn = 'file_name' | 'size_bytes' | 'created_at' | 'updated_at' | 'extension' | 'uploaded_by';

const COLUMNS: readonly string[] = ['file_name', 'size_bytes', 'created_at', 'updated_at', 'extension', 'uploaded_by'];

/** The requested order of files; by name if none is given. */
export function readBrowseOrder(
  sortBy: string | null | undefined,
  sortOrder: string | null | undefined,
): { readonly column: BrowseColumn; readonly descending: boolean } {
  const isKnown = COLUMNS.includes(sortBy ?? '');
  const column = isKnown ? (sortBy as BrowseColumn) : 'file_name';
  const direction = sortOrder?.toLowerCase();
  return { column, descending: direction === 'desc' };
}
