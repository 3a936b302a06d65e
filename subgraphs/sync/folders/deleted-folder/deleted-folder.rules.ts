/** Milliseconds that a deleted folder can be restored; then its files are purged. Source: folder-sync document, Folders */
export const RESTORABLE_FOR_MS = 7 * 24 * 3_600_000;

/** Folders of a page of those that can be had back. */
export const DELETED_PAGE = { usual: 100, most: 200 } as const;

/** Folders that were deleted after this can be restored. What is stored of them counts for nothing until then. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - RESTORABLE_FOR_MS);
}
