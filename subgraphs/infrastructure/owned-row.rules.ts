/** A row and its owner. */
export interface OwnedRow {
  readonly userId: number;
  readonly id: number;
}

/**
 * The row that a job is about. A job of an earlier version names no owner, so it finds no row; the periodic job of its noun
 * does its work.
 */
export function ownedRow({ userId, id }: Readonly<Record<string, unknown>>): OwnedRow {
  return { userId: Number(userId ?? 0), id: Number(id) };
}
