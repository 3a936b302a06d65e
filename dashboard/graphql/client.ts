import { cacheExchange, Client, fetchExchange, subscriptionExchange, type ExecutionResult } from 'urql';
import type { GraphQLAnswer } from '../../sdk/src/answer';
import { PlatformError } from '../../sdk/src/errors';
import { Transport, type HttpRequest } from '../../sdk/src/transport';
import { accessToken } from '../session/access-token';
import { connect } from './connection';
import { noted } from './requests';

/** Milliseconds that an answer may take. */
const TIMEOUT_MS = 20_000;

/** A client for one session or none, and the function that ends its websocket. */
export interface ApiClient {
  readonly client: Client;
  readonly close: () => void;
}

/** Makes the client of who is signed in, or of nobody. */
export function openClient(isSignedIn: boolean): ApiClient {
  const socket = isSignedIn ? connect() : undefined;
  const transport = new Transport({
    url: location.origin,
    token: isSignedIn ? accessToken : undefined,
    fetch: fetchInTime,
    attempts: 1,
  });
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: (_, init) => transport.send('/graphql', init as HttpRequest),
    exchanges: [
      cacheExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => {
            const results = socket?.events(query, variables, resultOf);
            if (results) void forward(results, sink);
            return { unsubscribe: () => void results?.return(undefined) };
          },
        }),
      }),
      fetchExchange,
    ],
  });
  return { client, close: () => void socket?.close() };
}

interface Sink {
  readonly next: (result: ExecutionResult) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
}

async function forward(results: AsyncIterable<ExecutionResult>, sink: Sink): Promise<void> {
  try {
    for await (const result of results) sink.next(result);
    sink.complete();
  } catch (error) {
    sink.error(errorsOf(error) ?? error);
  }
}

function resultOf({ data = null, errors }: GraphQLAnswer<Record<string, unknown>>): ExecutionResult {
  return { data, ...(errors && { errors: [...errors] }) };
}

/** The errors as the server answers them, whose sentence the user reads; undefined if it did not answer. */
function errorsOf(error: unknown): ExecutionResult['errors'] {
  if (!(error instanceof PlatformError) || error.code === 'UNAVAILABLE') return undefined;
  return [{ message: error.message, extensions: { code: error.code } }];
}

function fetchInTime(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  return noted(init, () => fetch(input, { ...init, signal }));
}
