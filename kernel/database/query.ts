import type { Opt } from '@mikro-orm/core';
import {
  AliasNode,
  CamelCasePlugin,
  ColumnNode,
  DummyDriver,
  IdentifierNode,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  ReferenceNode,
  SelectionNode,
  sql,
  type Compilable,
  type Dialect,
  type Generated,
  type KyselyPlugin,
  type OperationNode,
  type RawBuilder,
  type RootOperationNode,
} from 'kysely';
import type { CustomTypesConfig } from 'pg';
import { countRows } from './row-budget.js';

declare const computed: unique symbol;

/** A property of a row class that GraphQL shows and that has no column. */
export type Computed<Value> = Value & { readonly [computed]?: true };

/** The table of a row class: its properties are the columns; `Opt` marks columns that have a default. */
type TableOf<Row> = {
  [Key in keyof Row as Key extends symbol ? never : IsComputed<Row[Key]> extends true ? never : Key]: ColumnOf<
    Row[Key]
  >;
};

type IsComputed<Value> = typeof computed extends keyof NonNullable<Value> ? true : false;

type ColumnOf<Value> = NonNullable<Value> extends Opt.Brand ? Generated<Unbranded<Value>> : Value;

type Unbranded<Value> = Value extends Opt<infer Plain> ? Plain : Value;

/** A typed query builder over the tables named by the keys, e.g. `Db<{ group: GroupRow }>`. */
export type Db<Rows> = Kysely<{ [Name in keyof Rows]: TableOf<Rows[Name]> }>;

/** A query of the builder, or `sql` text that the builder cannot express. */
type Built<Row> = Compilable<Row> | RawBuilder<Row>;

/** A statement whose tables, columns and values the compiler checks: compiled once and usually prepared once per connection. */
export interface Query<Values, Row> {
  /** Unique in the process. */
  readonly name: string;
  readonly build: (db: Kysely<unknown>, values: Values) => Built<Row>;
  readonly isPrepared: boolean;
}

interface QueryOptions {
  /** False: PostgreSQL plans the statement for its values each time, as they decide which plan is fast. */
  readonly isPrepared?: boolean;
}

const defined = new Map<string, Query<never, unknown>>();

/**
 * Defines a statement. `build` is called once, with a placeholder for each value: it can bind `values.x`, but it cannot
 * compute or branch on it.
 */
export function query<Rows, Values extends object, Row>(
  name: string,
  build: (db: Db<Rows>, values: Values) => Built<Row>,
  { isPrepared = true }: QueryOptions = {},
): Query<Values, Row> {
  if (defined.has(name)) throw new Error(`two statements have the name ${name}`);
  const defining = { name, build: build as Query<Values, Row>['build'], isPrepared };
  defined.set(name, defining);
  return defining;
}

/** Returns all statements of the loaded modules, by name. */
export function definedQueries(): ReadonlyMap<string, Query<never, unknown>> {
  return defined;
}

const WRITES = /(?<!\bfor |\bno key |\bdo )\bupdate\s|\binsert into\s|\bdelete from\s|\bmerge into\s/i;
const writing = new WeakMap<object, boolean>();

/** Whether the statement may write. */
export function isWrite(statement: Query<never, unknown>): boolean {
  let is = writing.get(statement);
  if (is === undefined) {
    is = isWriteText(new QueryCompiler('public').prepare(statement, {} as never).text);
    writing.set(statement, is);
  }
  return is;
}

/** Whether the text of a statement may write. */
export function isWriteText(text: string): boolean {
  return WRITES.test(text);
}

/** Compares with any of the values, bound as one array: `.where('id', '=', anyOf(ids))`. */
export function anyOf<Value>(values: readonly Value[]): RawBuilder<Value> {
  return sql`any(${values})`;
}

/** A value that is known when the statement is executed. */
class Placeholder {
  constructor(readonly key: string) {}

  [Symbol.toPrimitive](): never {
    throw new Error(`the value ${this.key} is known only when the statement is executed`);
  }
}

const PLACEHOLDERS: object = new Proxy(
  {},
  {
    get: (_, key) => new Placeholder(String(key)),
    ownKeys: () => {
      throw new Error('name each value of a statement: they cannot be spread');
    },
  },
);

interface Compiled {
  readonly statement: { readonly text: string; readonly name?: string };
  readonly bind: (values: object) => unknown[];
}

/** Compiles the statements of one subgraph, each the first time it is executed. Needs no connection. */
export class QueryCompiler {
  private readonly compiled = new Map<string, Compiled>();
  private readonly db: Kysely<unknown>;

  /** Whether statements are prepared once per connection; not behind PgBouncer, where each may get another connection. */
  readonly prepares: boolean;

  constructor(schema: string, { prepares = true }: { readonly prepares?: boolean } = {}) {
    this.db = openBuilder(schema);
    this.prepares = prepares;
  }

  /** Returns the statement in the form of `pg`. */
  prepare<Values extends object>(
    { name, build, isPrepared }: Query<Values, unknown>,
    values: Values,
  ): { name?: string; text: string; values: unknown[]; types?: CustomTypesConfig } {
    let compiled = this.compiled.get(name);
    if (!compiled) {
      const built = build(this.db, PLACEHOLDERS as Values);
      const { sql: text, parameters } = 'isRawBuilder' in built ? built.compile(this.db) : built.compile();
      compiled = { statement: isPrepared && this.prepares ? { name, text } : { text }, bind: binderOf(parameters) };
      this.compiled.set(name, compiled);
    }
    return countRows({ ...compiled.statement, values: compiled.bind(values) });
  }
}

function binderOf(parameters: readonly unknown[]): Compiled['bind'] {
  return (values) =>
    parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.key as keyof typeof values] : parameter,
    );
}

/** Returns a builder without a connection; the pool executes its statements. */
function openBuilder(schema: string): Kysely<unknown> {
  return new Kysely<unknown>({ dialect: OFFLINE, plugins: [new CamelCasePlugin(), PROPERTY_NAMES] }).withSchema(schema);
}

const OFFLINE: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new ConstantsInText(),
};

/**
 * Writes constants of a statement into its text, where the planner sees them in every plan: partial indexes and conflict
 * targets depend on them. Values that are known only when the statement is executed stay bound.
 */
class ConstantsInText extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (['string', 'number', 'boolean'].includes(typeof value)) this.appendImmediateValue(value);
    else super.appendValue(value);
  }
}

/** Adds an alias to each column, so that PostgreSQL returns it under its property name. */
const PROPERTY_NAMES: KyselyPlugin = {
  transformQuery: ({ node }) => withAliases(node),
  transformResult: ({ result }) => Promise.resolve(result),
};

function withAliases(node: RootOperationNode): RootOperationNode {
  if (node.kind === 'SelectQueryNode' && node.selections) return { ...node, selections: node.selections.map(aliased) };
  if ('returning' in node && node.returning)
    return { ...node, returning: { ...node.returning, selections: node.returning.selections.map(aliased) } };
  return node;
}

function aliased({ selection }: SelectionNode): SelectionNode {
  const named = AliasNode.is(selection) ? selection.node : selection;
  const column = AliasNode.is(selection) ? selection.alias : columnOf(selection);
  if (!column || !IdentifierNode.is(column)) throw new Error('name each column that a statement returns');
  const property = column.name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  if (property === column.name) return SelectionNode.create(selection);
  return SelectionNode.create(AliasNode.create(named, IdentifierNode.create(property)));
}

function columnOf(selection: OperationNode): OperationNode | undefined {
  const column = ReferenceNode.is(selection) ? selection.column : selection;
  return ColumnNode.is(column) ? column.column : undefined;
}
