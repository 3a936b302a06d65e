import { AsyncLocalStorage } from 'node:async_hooks';
import { types as driverTypes, type CustomTypesConfig } from 'pg';
import { badRequest, unavailable } from '../errors.js';
import { TYPES } from './timestamps.js';

const MIB = 1024 * 1024;

/** Maximum characters of all rows that one query of a subgraph, or one event, reads: they are in memory at the same time. */
const MAX_ROW_CHARACTERS = 64 * MIB;

/** Maximum characters of the queries that run at a time in this process; those that read little are not refused. */
const MAX_RUNNING_CHARACTERS = 128 * MIB;
const FEW_CHARACTERS = 8 * MIB;

/** What the running queries have read. */
const running = { characters: 0 };

const REFUSALS = new WeakSet();

/** Whether reading failed because of a maximum of rows, and not because of the database. */
export function isRowRefusal(error: unknown): boolean {
  return error instanceof Error && REFUSALS.has(error);
}

type Parse = (value: string) => unknown;

const { BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, DATE, TIMESTAMP, TIMESTAMPTZ, UUID } = driverTypes.builtins;

/** Types whose values are short: they are not counted. */
const SHORT_TYPES: ReadonlySet<number> = new Set([
  BOOL,
  INT2,
  INT4,
  INT8,
  FLOAT4,
  FLOAT8,
  DATE,
  TIMESTAMP,
  TIMESTAMPTZ,
  UUID,
]);

/** What a query reads. The driver has each longer value parsed, which counts it. */
class RowBudget implements CustomTypesConfig {
  private characters = 0;
  private isOver = false;
  private refusal: (() => Error) | undefined;

  readonly getTypeParser: CustomTypesConfig['getTypeParser'] = (oid, format) => {
    const parse: Parse = TYPES.getTypeParser(oid, format);
    if (SHORT_TYPES.has(oid)) return parse;
    return (value: string) => {
      if (!this.isOver) this.count(value.length);
      return parse(value);
    };
  };

  /** What the query has begun and others use, e.g. a cache, may outlive it. */
  end(): void {
    this.isOver = true;
    running.characters -= this.characters;
  }

  private count(characters: number): void {
    this.characters += characters;
    running.characters += characters;
    if (this.characters > MAX_ROW_CHARACTERS) this.refusal ??= tooLarge;
    if (running.characters > MAX_RUNNING_CHARACTERS && this.characters > FEW_CHARACTERS) this.refusal ??= tooMany;
    if (!this.refusal) return;
    // The driver drops the rows that follow. Others go on as if those so far were gone, too.
    running.characters -= this.characters;
    this.characters = 0;
    const error = this.refusal();
    REFUSALS.add(error);
    throw error;
  }
}

function tooLarge(): Error {
  return badRequest(`The answer has more than ${MAX_ROW_CHARACTERS / MIB} MiB: ask for less at once.`);
}

function tooMany(): Error {
  return unavailable('Too many large answers at the moment: try again later.', { retryAfter: 1 });
}

const budgets = new AsyncLocalStorage<RowBudget>();

/** Executes a query that can read much: a limited number of characters. Its asynchronous context has a cost at each step. */
export async function withRowBudget<Result>(execute: () => Result | Promise<Result>): Promise<Result> {
  const budget = new RowBudget();
  try {
    return await budgets.run(budget, execute);
  } finally {
    budget.end();
  }
}

/** Has the rows of a statement counted if it is part of a query: reading fails with BAD_REQUEST or UNAVAILABLE above a maximum. */
export function countRows<Config extends object>(config: Config): Config & { types?: CustomTypesConfig } {
  const types = budgets.getStore();
  return types ? Object.assign(config, { types }) : config;
}
