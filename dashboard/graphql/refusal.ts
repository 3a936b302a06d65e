import type { CombinedError } from 'urql';

/** The sentence of an error for the user. */
export function messageOf(error: unknown): string {
  const combined = error as Partial<CombinedError>;
  const [first] = combined.graphQLErrors ?? [];
  if (first) return withoutFields(first.message);
  if (combined.networkError || error instanceof Event) return UNREACHABLE;
  return error instanceof Error ? error.message : 'Something went wrong.';
}

/** The sentence with words for the fields of the API that it names: `ssh_public_key` is `SSH public key` at its start. */
function withoutFields(message: string): string {
  return message.replaceAll(/`(\w+)`/g, (_, field: string, at: number) => {
    const words = field.replaceAll(/_|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
    const named = words.replaceAll(/\b(?:api|id|ip|ssh|url)\b/g, (word) => word.toUpperCase());
    return at === 0 ? named.charAt(0).toUpperCase() + named.slice(1) : named;
  });
}

/** The code of an error as the server names it; UNREACHABLE without an answer. */
export function codeOf(error: unknown): string {
  const combined = error as Partial<CombinedError>;
  const [first] = combined.graphQLErrors ?? [];
  if (!first) return 'UNREACHABLE';
  return typeof first.extensions.code === 'string' ? first.extensions.code : 'INTERNAL';
}

const UNREACHABLE = 'The server cannot be reached; check that it runs and try again.';
