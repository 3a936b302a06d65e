import type { ExecutionResult } from 'urql';
import { errorIn, type GraphQLAnswer } from '../../sdk/src/answer';
import { PlatformError } from '../../sdk/src/errors';
import { backoff } from '../../sdk/src/transport';
import { setInterrupted, waitToRetry } from './connection';

/** Codes of errors after which the same subscription may succeed. */
const PASSING_CODES: ReadonlySet<unknown> = new Set(['UNAVAILABLE', 'INTERNAL', 'RATE_LIMITED']);

const MAX_WAIT_MS = 30_000;

/** A subscription that lasts this long works: some send nothing until something changes. */
const SETTLED_MS = 1_000;

type Open = (read: typeof resultOf) => AsyncGenerator<ExecutionResult>;

interface Sink {
  readonly next: (result: ExecutionResult) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
}

/**
 * Sends the results of a subscription to the sink until `end`. When the server ends it, such as because a subgraph restarts, it
 * begins again after a wait; only an error that stays is sent.
 */
export async function follow(open: Open, sink: Sink, end: AbortSignal): Promise<void> {
  let failures = 0;
  let isRefused = false;
  const next = (result: ExecutionResult) => {
    failures = 0;
    isRefused = result.data === null;
    sink.next(result);
  };
  try {
    while (!end.aborted) {
      await followOnce(open(resultOf), next, end);
      if (end.aborted || isRefused) return sink.complete();
      // Pages load again what they may have missed when it is no longer interrupted.
      setInterrupted(end, true);
      failures += 1;
      await waitToRetry(Math.min(backoff(failures), MAX_WAIT_MS));
    }
  } catch (error) {
    sink.error(errorsOf(error) ?? error);
  } finally {
    setInterrupted(end, false);
  }
}

/** Returns when the server ends the subscription. @throws an error that stays */
async function followOnce(
  results: AsyncGenerator<ExecutionResult>,
  next: (result: ExecutionResult) => void,
  end: AbortSignal,
): Promise<void> {
  const settled = setTimeout(() => setInterrupted(end, false), SETTLED_MS);
  const stop = () => void results.return(undefined);
  end.addEventListener('abort', stop);
  try {
    for await (const result of results) next(result);
  } catch (error) {
    if (!isPassing(error)) throw error;
  } finally {
    clearTimeout(settled);
    end.removeEventListener('abort', stop);
  }
}

/** The result as urql reads it. @throws the first error if it may pass: the subscription must begin again */
function resultOf(answer: GraphQLAnswer<Record<string, unknown>>): ExecutionResult {
  const { data = null, errors } = answer;
  const error = errors && errorIn(answer);
  if (isPassing(error)) throw error;
  return { data, ...(errors && { errors: [...errors] }) };
}

function isPassing(error: unknown): error is PlatformError {
  return error instanceof PlatformError && PASSING_CODES.has(error.code);
}

/** The errors as the server answers them, whose sentence the user reads. */
function errorsOf(error: unknown): ExecutionResult['errors'] {
  if (!(error instanceof PlatformError)) return undefined;
  return [{ message: error.message, extensions: { code: error.code } }];
}
