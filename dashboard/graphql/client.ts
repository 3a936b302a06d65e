import { cacheExchange, Client, fetchExchange, subscriptionExchange } from 'urql';
import { accessToken, replaceToken } from '../session/access-token';
import { connect } from './connection';

/** Milliseconds that an answer may take. */
const PATIENCE_MS = 20_000;

/** A client for one session or none, and the function that ends its websocket. */
export interface ApiClient {
  readonly client: Client;
  readonly close: () => void;
}

/** Makes the client of who is signed in, or of nobody. */
export function openClient(isSignedIn: boolean): ApiClient {
  const socket = isSignedIn ? connect() : undefined;
  const client = new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: isSignedIn ? fetchSignedIn : fetchInTime,
    exchanges: [
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

/** Sends the access token, and once more the next one if the server refuses it. */
async function fetchSignedIn(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const token = await accessToken();
  const answer = await fetchInTime(input, withToken(init, token));
  if (answer.status !== 401) return answer;
  return fetchInTime(input, withToken(init, await replaceToken(token)));
}

function withToken(init: RequestInit, token: string): RequestInit {
  return { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } };
}

function fetchInTime(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(PATIENCE_MS);
  return fetch(input, { ...init, signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
}
