import { cacheExchange, Client, fetchExchange, mapExchange, subscriptionExchange } from 'urql';
import { connect } from './connection';
import { codeOf, messageOf } from './refusal';

/** Milliseconds that an answer may take. */
const PATIENCE_MS = 20_000;

/** A client for one token, and the function that ends its websocket. */
export interface ApiClient {
  readonly client: Client;
  readonly close: () => void;
}

/** Makes the client of a session. `signedOut` is called when the server refuses the token. */
export function openClient(token: string | null, signedOut: (sentence: string) => void): ApiClient {
  const socket = token === null ? undefined : connect(token, signedOut);
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: fetchInTime,
    fetchOptions: { headers: token === null ? {} : { authorization: `Token ${token}` } },
    exchanges: [
      mapExchange({
        onError(error) {
          if (token !== null && codeOf(error) === 'UNAUTHENTICATED') signedOut(messageOf(error));
        },
      }),
      cacheExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => {
            const operation = { query, ...(variables && { variables: { ...variables } }) };
            const end = socket?.subscribe(operation, {
              next: ({ data = null, errors }) => sink.next({ data, ...(errors && { errors }) }),
              error: (error) => sink.error(error),
              complete: () => sink.complete(),
            });
            return { unsubscribe: () => end?.() };
          },
        }),
      }),
      fetchExchange,
    ],
  });
  return { client, close: () => void socket?.dispose() };
}

function fetchInTime(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(PATIENCE_MS);
  return fetch(input, { ...init, signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
}
