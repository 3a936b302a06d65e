import { mapExchange, type Exchange, type OperationResult } from 'urql';
import { isPassing } from './refusal';

/** A query that is loaded again and fails for a while keeps the data of its last answer, beside the error. */
export function lastDataExchange(): Exchange {
  const answers = new Map<number, unknown>();
  return mapExchange({
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
