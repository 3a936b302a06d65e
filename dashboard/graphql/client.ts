import { cacheExchange, Client, fetchExchange, subscriptionExchange } from 'urql';
import { Transport, type HttpRequest } from '../../sdk/src/transport';
import { accessToken } from '../session/access-token';
import { connect } from './connection';
import { noted } from './requests';

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
  // It rejects when it was about to connect again, which it then does not.
  return { client, close: () => void Promise.resolve(socket?.dispose()).catch(() => undefined) };
}

function fetchInTime(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(PATIENCE_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  return noted(init, () => fetch(input, { ...init, signal }));
}
