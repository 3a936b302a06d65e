import { MISSING, ownerColumn } from './tables.js';

/** A table in a plan of PostgreSQL, and the name that its conditions use. */
interface Scan {
  readonly table: string;
  readonly alias: string;
}

/** A node of `EXPLAIN (FORMAT JSON)`. */
export interface PlanNode extends Readonly<Record<string, unknown>> {
  readonly 'Relation Name'?: string;
  readonly Schema?: string;
  readonly Alias?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Adds the tables that a plan reads, and all its conditions. */
function collect(node: PlanNode, scans: Scan[], conditions: string[]): void {
  const { Schema: schema = '', 'Relation Name': name, Alias: alias = '' } = node;
  if (name !== undefined && node['Node Type'] !== 'ModifyTable') scans.push({ table: `${schema}.${name}`, alias });
  for (const [key, value] of Object.entries(node)) if (/Cond|Filter/.test(key)) conditions.push(String(value));
  for (const child of node.Plans ?? []) collect(child, scans, conditions);
}

/** Returns what the owner column of a table is compared with: values, or columns as `alias.column`. */
function comparedWith({ table, alias }: Scan, conditions: string): string[] {
  const column = `\\(?"?${alias}"?\\.${ownerColumn(table) ?? ''}\\b(?:\\)::\\w+)?`;
  const pattern = new RegExp(`(?<!\\w)${column} = (ANY|\\S+?)(?=[ )])|(\\S+?) = ${column}(?![\\w.])`, 'g');
  return [...conditions.matchAll(pattern)].map(([, right, left]) => (right ?? left ?? '').replace(/[("]/g, ''));
}

/** Returns the tables of a plan that have an owner which the statement does not name. */
export function tablesOfAllOwners(plan: PlanNode): string[] {
  const scans: Scan[] = [];
  const conditions: string[] = [];
  collect(plan, scans, conditions);
  let open = scans.filter(({ table }) => ownerColumn(table) !== undefined || MISSING.includes(table));
  for (let before = -1; before !== open.length;) {
    before = open.length;
    const openColumns = open.map(({ table, alias }) => `${alias}.${ownerColumn(table) ?? ''}`);
    open = open.filter(
      (scan) => !comparedWith(scan, conditions.join(' , ')).some((value) => !openColumns.includes(value)),
    );
  }
  return open.map(({ table }) => table);
}
