import { UsageError } from './failure.js';

interface Kind<Row> {
  /** Noun for errors. */
  readonly kind: string;
  readonly namesOf: (row: Row) => readonly (string | null | undefined)[];
  /** The command that lists the rows. */
  readonly list: string;
}

/** Finds a row by one of its names or its id. @throws UsageError when the word is for no row or for several */
export function findRow<Row extends { readonly id: number | string }>(
  rows: readonly Row[],
  word: string,
  { kind, namesOf, list }: Kind<Row>,
): Row {
  const found = rows.filter((row) => String(row.id) === word || namesOf(row).includes(word));
  const [row] = found;
  if (!row) throw new UsageError(`There is no ${kind} "${word}": see ${list}.`);
  if (found.length > 1) throw new UsageError(`"${word}" is the name or id of more than one ${kind}: give another.`);
  return row;
}
