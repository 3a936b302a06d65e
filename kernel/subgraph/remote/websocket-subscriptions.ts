import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { unavailable } from '../../errors.js';
import { keepForJson } from '../../scalars/exact-json.js';
import type { RemoteEndpoint } from './remote-subgraph.js';
import type { SubgraphRequest, SubgraphResult } from '../subgraph-client.js';
import { Inbox } from './inbox.js';
import { readErrors, readResult } from './results.js';

/** Milliseconds between two pings, and for their answer. */
const PING_MS = 12_000;

/** Milliseconds to open a socket. */
const OPEN_MS = 10_000;

/** Milliseconds that a socket without subscriptions stays open, so that the next one need not wait for its end. */
const IDLE_MS = 1_000;

/** Subscribes at a subgraph by graphql-transport-ws. All subscriptions use one socket, which is closed soon after the last. */
export class WebsocketSubscriptions {
  private readonly client: Client;

  constructor(
    private readonly subgraph: string,
    url: string,
    { pingMs, openMs } = { pingMs: PING_MS, openMs: OPEN_MS },
  ) {
    this.client = createClient({
      url,
      webSocketImpl: WebSocket,
      jsonMessageReviver: keepForJson,
      lazy: true,
      lazyCloseTimeout: IDLE_MS,
      retryAttempts: 0,
      keepAlive: pingMs,
      connectionAckWaitTimeout: openMs,
      onNonLazyError: () => undefined,
      on: endWithoutAnswer(pingMs / 2),
    });
  }

  /** Yields the results. @throws UNAVAILABLE when the subgraph does not answer or breaks off */
  readonly subscribe: NonNullable<RemoteEndpoint['subscribe']> = async (request, signal) =>
    this.results(request, signal);

  private async *results({ query, variables }: SubgraphRequest, signal: AbortSignal): AsyncGenerator<SubgraphResult> {
    if (signal.aborted) return;
    let leave = () => {};
    const inbox = new Inbox(() => leave());
    const end = () => inbox.end();
    leave = this.client.subscribe(
      { query, variables },
      {
        next: (result) => inbox.add(readResult(result) ?? {}),
        error: (error) => {
          if (Array.isArray(error)) inbox.end(readErrors(error));
          else inbox.fail(unavailable(`The ${this.subgraph} part of the platform does not answer just now.`));
        },
        complete: end,
      },
    );
    signal.addEventListener('abort', end, { once: true });
    try {
      yield* inbox.read();
    } finally {
      signal.removeEventListener('abort', end);
      inbox.end();
    }
  }
}

/** Closes a socket whose server does not answer a ping. */
function endWithoutAnswer(timeoutMs: number): NonNullable<Parameters<typeof createClient>[0]['on']> {
  let socket: WebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    connected: (opened) => void (socket = opened as WebSocket),
    ping: (isReceived) => {
      if (!isReceived) timer = setTimeout(() => socket?.terminate(), timeoutMs);
    },
    pong: (isReceived) => {
      if (isReceived) clearTimeout(timer);
    },
    closed: () => clearTimeout(timer),
  };
}
