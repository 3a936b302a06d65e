import type { CombinedError } from 'urql';

/** The sentence of an error for the user. */
export function messageOf(error: unknown): string {
  const combined = error as Partial<CombinedError>;
  const [first] = combined.graphQLErrors ?? [];
  if (first) return first.message;
  if (combined.networkError || error instanceof Event) return UNREACHABLE;
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** The code of an error as the server names it; UNREACHABLE without an answer. */
export function codeOf(error: unknown): string {
  const combined = error as Partial<CombinedError>;
  const [first] = combined.graphQLErrors ?? [];
  if (!first) return 'UNREACHABLE';
  return typeof first.extensions.code === 'string' ? first.extensions.code : 'INTERNAL';
}

const UNREACHABLE = 'The server cannot be reached; check that it runs and try again.';
