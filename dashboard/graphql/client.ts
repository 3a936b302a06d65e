import { cacheExchange, Client, fetchExchange, subscriptionExchange } from 'urql';
import { Transport, type HttpRequest } from '../../sdk/src/transport';
import { accessToken } from '../session/access-token';
import { connect } from './connection';
import { follow } from './follow';
import { lastDataExchange } from './last-data';
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
      lastDataExchange(),
      cacheExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => {
            const end = new AbortController();
            if (socket) void follow((read) => socket.events(query, variables, read), sink, end.signal);
            return { unsubscribe: () => end.abort() };
          },
        }),
      }),
      fetchExchange,
    ],
  });
  return { client, close: () => void socket?.close() };
}

function fetchInTime(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  return noted(init, () => fetch(input, { ...init, signal }));
}
