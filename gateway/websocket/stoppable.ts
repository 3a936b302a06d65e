import type { ExecutionResult } from 'graphql';

/** Produces the results of an operation until the signal aborts. */
export type Results = (signal: AbortSignal) => AsyncGenerator<ExecutionResult>;

/** Starts an operation that is aborted as soon as the client completes it or leaves, even while it waits for a result. */
export function stoppable(results: Results): AsyncGenerator<ExecutionResult> {
  const stop = new AbortController();
  const generator = results(stop.signal);
  const end = generator.return.bind(generator);
  generator.return = (value) => {
    stop.abort();
    return end(value);
  };
  return generator;
}
