/** An error of the API. */
interface Refusal {
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** What of an error of urql is read. */
interface Failed {
  readonly graphQLErrors?: readonly Refusal[];
  readonly networkError?: unknown;
}

/** The sentence of an error for the user. */
export function messageOf(error: unknown): string {
  const failed = error as Failed;
  const refusal = refusalOf(failed);
  if (refusal) return withoutFields(refusal.message);
  if (failed.networkError || error instanceof Event) return isOffline() ? OFFLINE : UNREACHABLE;
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
  const refusal = refusalOf(error as Failed);
  return refusal ? codeIn(refusal) : 'UNREACHABLE';
}

/** Codes of errors that may pass by themselves. */
const PASSING_CODES: ReadonlySet<string> = new Set(['UNREACHABLE', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL']);

/** Whether the same request may succeed a little later. */
export function isPassing(error: unknown): boolean {
  return error !== undefined && PASSING_CODES.has(codeOf(error));
}

/** Ranks of codes; any other has 3. What stays as it is when it is tried again comes before what may pass. */
const RANKS: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 0,
  FORBIDDEN: 1,
  NOT_FOUND: 2,
  RATE_LIMITED: 4,
  UNAVAILABLE: 5,
  INTERNAL: 6,
};

/** The error of an answer that decides; undefined without an answer. */
function refusalOf({ graphQLErrors = [] }: Failed): Refusal | undefined {
  const rankOf = (refusal: Refusal) => RANKS[codeIn(refusal)] ?? 3;
  return graphQLErrors.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
}

function codeIn({ extensions }: Refusal): string {
  return typeof extensions.code === 'string' ? extensions.code : 'INTERNAL';
}

/** Rules run where nothing knows whether there is a network. */
function isOffline(): boolean {
  return 'onLine' in navigator && !navigator.onLine;
}

const UNREACHABLE = 'The server cannot be reached; check that it runs and try again.';
const OFFLINE = 'You are offline; check your connection and try again.';
