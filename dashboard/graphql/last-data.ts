import { mapExchange, type Exchange, type OperationResult } from 'urql';
import { isPassing } from './refusal';

/** Answers that are kept besides those that a page shows. */
const MAX_ENDED = 100;

/** A query that is loaded again and fails for a while keeps the data of its last answer, beside the error. */
export function lastDataExchange(): Exchange {
  const answers = new Map<number, unknown>();
  // The queries that no page shows any more, the oldest first.
  const ended = new Set<number>();
  return mapExchange({
    onOperation({ key, kind }) {
      if (kind !== 'query' && kind !== 'teardown') return;
      ended.delete(key);
      if (kind === 'query' || !answers.has(key)) return;
      ended.add(key);
      const [oldest] = ended;
      if (oldest === undefined || ended.size <= MAX_ENDED) return;
      ended.delete(oldest);
      answers.delete(oldest);
    },
    onResult(result) {
      const { key, kind } = result.operation;
      if (kind !== 'query') return result;
      if (isPassing(result.error)) return withData(result, answers.get(key));
      if (result.error) answers.delete(key);
      else answers.set(key, result.data);
      return result;
    },
  });
}

function withData(result: OperationResult, data: unknown): OperationResult {
  return data === undefined || data === null ? result : { ...result, data };
}
