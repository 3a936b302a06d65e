import { badRequest } from '../../../../kernel/errors.js';

/** An entry of a document with its path, such as `policies[3]`. */
export interface Placed<Entry> {
  readonly entry: Entry;
  readonly place: string;
}

/** Entries without a row, entries with their rows, and rows without an entry. */
export interface Matches<Entry, Row> {
  readonly added: readonly Placed<Entry>[];
  readonly kept: readonly (Placed<Entry> & { readonly row: Row })[];
  readonly removed: readonly Row[];
}

/** Matches the entries of a list with the current rows by name. Equal names match in order. */
export function matchEntries<Entry, Row>(
  list: { readonly place: string; readonly entries: readonly Entry[]; readonly nameOf: (entry: Entry) => string },
  rows: readonly Row[],
  nameOfRow: (row: Row) => string,
): Matches<Entry, Row> {
  const left = byName(rows, nameOfRow);
  const placed = list.entries.map((entry, index) => {
    const row = left.get(list.nameOf(entry))?.shift();
    return { entry, place: `${list.place}[${index}]`, row };
  });
  return {
    added: placed.flatMap(({ row, ...rest }) => (row === undefined ? [rest] : [])),
    kept: placed.flatMap(({ row, ...rest }) => (row === undefined ? [] : [{ ...rest, row }])),
    removed: [...left.values()].flat(),
  };
}

/** Returns the rows of each name, in order. */
export function byName<Row>(rows: readonly Row[], nameOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const known = groups.get(nameOf(row));
    if (known) known.push(row);
    else groups.set(nameOf(row), [row]);
  }
  return groups;
}

/** Returns the row with this name. @throws BAD_REQUEST if there is none, or more than one */
export function onlyNamed<Row>(
  rows: ReadonlyMap<string, readonly Row[]>,
  { kind, name }: { readonly kind: string; readonly name: string },
): Row {
  const [row, second] = rows.get(name) ?? [];
  if (row === undefined) throw badRequest(`There is no ${kind} "${name.slice(0, 100)}".`);
  if (second !== undefined) throw badRequest(`More than one ${kind} is named "${name}".`);
  return row;
}

/** Whether two lists have the same ids, in any order. */
export function hasSameIds(left: readonly number[], right: readonly number[]): boolean {
  const [a, b] = [new Set(left), new Set(right)];
  return a.size === b.size && [...a].every((id) => b.has(id));
}
