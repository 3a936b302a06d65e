import { mapExchange, type Exchange, type OperationResult } from 'urql';
import { isPassing } from './refusal';

/** Answers that are kept. A page shows fewer at once. */
const MAX_ANSWERS = 100;

/** A query that is loaded again and fails for a while keeps the data of its last answer, beside the error. */
export function lastDataExchange(): Exchange {
  const answers = new Map<number, unknown>();
  return mapExchange({
    onResult(result) {
      const { key, kind } = result.operation;
      if (kind !== 'query') return result;
      if (isPassing(result.error)) return withData(result, answers.get(key));
      // The oldest answer comes first, and is dropped above the limit.
      answers.delete(key);
      if (!result.error) answers.set(key, result.data);
      const [oldest] = answers.keys();
      if (oldest !== undefined && answers.size > MAX_ANSWERS) answers.delete(oldest);
      return result;
    },
  });
}

function withData(result: OperationResult, data: unknown): OperationResult {
  return data === undefined || data === null ? result : { ...result, data };
}
