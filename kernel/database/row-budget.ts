import { AsyncLocalStorage } from 'node:async_hooks';
import type { CustomTypesConfig } from 'pg';
import { badRequest } from '../errors.js';
import { TYPES } from './timestamps.js';

/** Maximum characters of all rows that one query of a subgraph, or one event, reads: they are in memory at the same time. */
const MAX_ROW_CHARACTERS = 64 * 1024 * 1024;

type Parse = (value: string) => unknown;

/** What a query may still read. The driver has each value parsed, which counts it. */
class RowBudget implements CustomTypesConfig {
  isOver = false;
  private left = MAX_ROW_CHARACTERS;

  readonly getTypeParser: CustomTypesConfig['getTypeParser'] = (oid, format) => {
    const parse: Parse = TYPES.getTypeParser(oid, format);
    return (value: string) => {
      this.left -= value.length;
      if (this.left < 0 && !this.isOver)
        throw badRequest(
          `The answer has more than ${MAX_ROW_CHARACTERS / 1024 / 1024} MiB: ask for fewer rows or fields.`,
        );
      return parse(value);
    };
  };
}

const budgets = new AsyncLocalStorage<RowBudget>();

/** Executes a query, which can read a limited number of characters. */
export async function withRowBudget<Result>(execute: () => Result | Promise<Result>): Promise<Result> {
  const budget = new RowBudget();
  try {
    return await budgets.run(budget, execute);
  } finally {
    // What the query has begun and others use, e.g. a cache, may outlive it.
    budget.isOver = true;
  }
}

/** Has the rows of a statement counted if it is part of a query: reading fails with BAD_REQUEST above the maximum. */
export function countRows<Config extends object>(config: Config): Config & { types?: CustomTypesConfig } {
  const types = budgets.getStore();
  return types ? Object.assign(config, { types }) : config;
}
