/** A refusal by the server, or none at all; the message is a sentence for the user. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {string} code as the server names it, or UNREACHABLE
   */
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

/** Milliseconds that an answer may take. */
const PATIENCE_MS = 20_000;

/**
 * Executes a query or mutation.
 * @param {string | null} token API token; null: nobody
 * @param {string} query
 * @param {Record<string, unknown>} [variables]
 * @returns {Promise<Record<string, any>>}
 * @throws {Refusal}
 */
export async function ask(token, query, variables = {}) {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  if (token !== null) headers.authorization = `Token ${token}`;
  const response = await fetch(new URL('../graphql', import.meta.url), {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => {
    throw new Refusal('The server cannot be reached; check that it runs and try again.', 'UNREACHABLE');
  });
  const result = await response.json().catch(() => ({}));
  throwRefusal(result.errors ?? (result.data ? undefined : [{ message: `The server answered ${response.status}.` }]));
  return result.data;
}

/**
 * @param {readonly {message: string, extensions?: {code?: string}}[] | undefined} errors
 * @throws {Refusal} the first of them
 */
export function throwRefusal(errors) {
  const [first] = errors ?? [];
  if (first) throw new Refusal(first.message, first.extensions?.code ?? 'INTERNAL');
}
