import { badRequest } from '../../../../kernel/errors.js';
import { checkSizes, type GraphSizes } from '../../graph/tenant/tenant.rules.js';
import type { NetworkDocument } from './network-document.js';

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

/** Returns the row with this name, and this id if it is given. @throws BAD_REQUEST if there is none, or more than one */
export function onlyNamed<Row extends { readonly id: number }>(
  rows: ReadonlyMap<string, readonly Row[]>,
  { kind, name, id }: { readonly kind: string; readonly name: string; readonly id?: number | null | undefined },
): Row {
  const named = rows.get(name) ?? [];
  const [row, second] = id == null ? named : named.filter((each) => each.id === id);
  if (row === undefined)
    throw badRequest(`There is no ${kind} "${name.slice(0, 100)}"${id == null ? '' : ` with the id ${id}`}.`);
  if (second !== undefined) throw badRequest(`More than one ${kind} is named "${name}": give its id too.`);
  return row;
}

/** Whether two lists have the same ids, in any order. */
export function hasSameIds(left: readonly number[], right: readonly number[]): boolean {
  const [a, b] = [new Set(left), new Set(right)];
  return a.size === b.size && [...a].every((id) => b.has(id));
}

const NO_ENTRIES: GraphSizes = {
  groups: 0,
  networks: 0,
  resources: 0,
  routers: 0,
  memberships: 0,
  resourceMemberships: 0,
  policies: 0,
  ports: 0,
  routes: 0,
};

/** Refuses a document that asks for more than a private network may have, before it is written. @throws CONFLICT */
export function checkEntries({ groups, peers, policies, networks }: NetworkDocument): void {
  const inside = (networks ?? []).map(({ resources, routers }) => ({
    resources: resources ?? [],
    routers: routers?.length ?? 0,
  }));
  const resources = inside.flatMap((network) => network.resources);
  checkSizes(NO_ENTRIES, {
    ...NO_ENTRIES,
    groups: groups?.length ?? 0,
    networks: inside.length,
    resources: resources.length,
    routers: sum(inside, ({ routers }) => routers),
    memberships: sum(peers ?? [], (peer) => peer.groups.length),
    resourceMemberships: sum(resources, (resource) => resource.groups?.length ?? 0),
    policies: policies?.length ?? 0,
    ports: sum(policies ?? [], ({ ports }) => ports?.length ?? 0),
  });
}

function sum<Row>(rows: readonly Row[], sizeOf: (row: Row) => number): number {
  return rows.reduce((total, row) => total + sizeOf(row), 0);
}
