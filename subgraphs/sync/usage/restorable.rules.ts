/** How long a deleted folder can be restored; then its files are purged. */
export const RESTORE_PERIOD_MS = 7 * 24 * 3_600_000;

/** Folders deleted after this time can be restored. A deleted folder is not charged after its deletion day. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - RESTORE_PERIOD_MS);
}
