import type { TadaDocumentNode } from 'gql.tada';
import { print } from 'graphql';
import { createClient, type Client } from 'graphql-ws';
import { asRecord, PlatformError } from './errors.js';
import type { Transport } from './transport.js';

/** A text, or a document whose data and variables have types. */
export type Operation<Data, Variables> = string | TadaDocumentNode<Data, Variables>;

interface GraphQLAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** Codes of the errors of a socket that was closed for good; `UNAVAILABLE` for every other. Source: graphql-transport-ws */
const CODE_OF_CLOSE: ReadonlyMap<number, string> = new Map([
  [4401, 'UNAUTHENTICATED'],
  [4429, 'RATE_LIMITED'],
]);

/**
 * Executes a query or a mutation. A query is repeated when the platform is away; a mutation is not.
 * @throws PlatformError with the first error of the answer
 */
export async function execute<Data, Variables>(
  transport: Transport,
  operation: Operation<Data, Variables>,
  variables?: Variables,
): Promise<Data> {
  const query = textOf(operation);
  const isRepeatable = !/^\s*mutation\b/m.test(query);
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ query, variables }), isRepeatable };
  const answer = await transport.send('/graphql', request);
  return dataOf((await answer.json().catch(() => ({}))) as GraphQLAnswer<Data>, answer.status);
}

/**
 * Opens the websocket of an account. It connects with the first subscription and again after each loss. A loss is also 4403,
 * the end of a token: the next one may be valid, and if not, the platform answers 4401.
 */
export function openSocket(transport: Transport, webSocketImpl?: unknown): Client {
  return createClient({
    url: `${transport.url.replace(/^http/, 'ws')}/graphql`,
    connectionParams: async () => {
      const token = await transport.token();
      return token === undefined ? {} : { Authorization: `Token ${token}` };
    },
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    keepAlive: 10_000,
    ...(webSocketImpl !== undefined && { webSocketImpl }),
  });
}

/**
 * Yields the data of each event until the loop ends or the subscription does.
 * @throws PlatformError with the first error of an event or of the subscription, or with the reason of the closed socket
 */
export async function* subscribe<Data, Variables>(
  socket: Client,
  operation: Operation<Data, Variables>,
  variables?: Variables,
): AsyncGenerator<Data> {
  const query = textOf(operation);
  const events = socket.iterate<Data>({ query, variables: asRecord(variables) });
  try {
    for await (const event of events) yield dataOf(event as GraphQLAnswer<Data>, undefined);
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Returns the error of what graphql-ws throws: the errors of a refused subscription, or the event of a closed socket. */
function refusalOf(thrown: unknown): unknown {
  if (Array.isArray(thrown)) return errorIn({ errors: thrown }, undefined);
  const { code, reason } = asRecord(thrown);
  if (typeof code !== 'number') return thrown;
  const sentence = typeof reason === 'string' && reason !== '' ? reason : `The websocket was closed with ${code}.`;
  return new PlatformError(sentence, undefined, CODE_OF_CLOSE.get(code) ?? 'UNAVAILABLE');
}

function textOf<Data, Variables>(operation: Operation<Data, Variables>): string {
  return typeof operation === 'string' ? operation : print(operation);
}

function dataOf<Data>(answer: GraphQLAnswer<Data>, status: number | undefined): Data {
  const { data, errors } = answer;
  if (errors?.[0] || data === undefined || data === null) throw errorIn(answer, status);
  return data;
}

function errorIn({ data, errors }: GraphQLAnswer<unknown>, status: number | undefined): PlatformError {
  const [error] = errors ?? [];
  if (!error) return new PlatformError(`HTTP ${status ?? 0}`, status, undefined);
  return new PlatformError(error.message, status, error.extensions?.code, { data, errors });
}
