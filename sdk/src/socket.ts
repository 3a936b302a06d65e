import { createClient, MessageType, type Client, type SubscribePayload } from 'graphql-ws';
import { errorIn, type GraphQLAnswer } from './answer.js';
import { asRecord, PlatformError } from './errors.js';
import { backoff, type Transport } from './transport.js';

/** State of the websocket. `idle`: nothing is subscribed; `lost`: it is about to connect again. */
export type SocketState = 'idle' | 'connecting' | 'live' | 'lost';

export interface SocketOptions {
  /** Replaces the global `WebSocket`. */
  readonly webSocket?: unknown;
  /** Called with each state of the websocket. */
  readonly onSocketState?: ((state: SocketState) => void) | undefined;
}

/** Close codes of a token that is unknown (4401), or that expired or was revoked (4403). */
const UNKNOWN_TOKEN = 4401;
const ENDED_TOKEN = 4403;
const NORMAL_CLOSURE = 1000;

/** Codes of the errors of a socket that was closed for good; `UNAVAILABLE` for every other. Source: graphql-transport-ws */
const CODE_OF_CLOSE: ReadonlyMap<unknown, string> = new Map([
  [UNKNOWN_TOKEN, 'UNAUTHENTICATED'],
  [4429, 'RATE_LIMITED'],
]);

const PING_INTERVAL_MS = 10_000;
/** A connection that carries no answer in this time is dead, which a browser may not see for many minutes. */
const PONG_TIMEOUT_MS = 5_000;
const ACK_TIMEOUT_MS = 10_000;
const MAX_WAIT_MS = 30_000;

/**
 * The websocket of an account. It connects with the first subscription and again after each loss, with another token if the
 * platform refused the one before.
 */
export class Socket {
  private readonly client: Client;
  private token: string | undefined;
  /** The next token, when the platform refused the one before. */
  private renewed: Promise<string | undefined> | undefined;
  /** The last error of the token function. It ends the subscriptions. */
  private tokenError: unknown;
  private state: SocketState = 'idle';
  /** The websocket while it is open. */
  private open: { readonly send: (text: string) => void } | undefined;
  private pongTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly transport: Transport,
    { webSocket, onSocketState }: SocketOptions = {},
  ) {
    const enter = (state: SocketState) => {
      this.state = state;
      onSocketState?.(state);
    };
    this.client = createClient({
      url: `${transport.url.replace(/^http/, 'ws')}/graphql`,
      connectionParams: () => this.signIn(),
      retryAttempts: Number.POSITIVE_INFINITY,
      shouldRetry: (thrown) => thrown !== this.tokenError,
      retryWait: (tries) => {
        enter('lost');
        return transport.wait(Math.min(backoff(tries + 1), MAX_WAIT_MS));
      },
      keepAlive: PING_INTERVAL_MS,
      connectionAckWaitTimeout: ACK_TIMEOUT_MS,
      on: {
        connecting: (isRetry) => enter(isRetry ? 'lost' : 'connecting'),
        connected: (socket) => {
          this.open = socket as WebSocket;
          enter('live');
        },
        ping: (isReceived) => !isReceived && this.awaitPong(),
        pong: (isReceived) => isReceived && clearTimeout(this.pongTimer),
        closed: (event) => {
          this.open = undefined;
          clearTimeout(this.pongTimer);
          enter(this.afterClose(asRecord(event).code));
        },
      },
      ...(webSocket !== undefined && { webSocketImpl: webSocket }),
    });
  }

  /**
   * Yields what `read` makes of each event of a subscription, until the loop ends or the subscription does.
   * @throws PlatformError with the first error of a refused subscription, or with the reason of the closed socket
   */
  events<Data, Item>(
    query: string,
    variables: unknown,
    read: (answer: GraphQLAnswer<Data>) => Item,
  ): AsyncGenerator<Item> {
    const end = new AbortController();
    const request = { query, variables: asRecord(variables) };
    const items = this.items(request, read, end.signal);
    // The `return` of a generator waits for the next event.
    items.return = async (value: unknown) => {
      end.abort();
      return { done: true, value: await value };
    };
    return items;
  }

  /** Pings the platform now. A websocket that carries no answer is replaced. */
  check(): void {
    if (!this.open) return;
    this.open.send(JSON.stringify({ type: MessageType.Ping }));
    this.awaitPong();
  }

  /** Closes the websocket. Subscriptions end. */
  async close(): Promise<void> {
    // It rejects when it was about to connect again, which it then does not: that takes until the end of the wait.
    const closed = Promise.resolve(this.client.dispose()).catch(() => undefined);
    if (this.state === 'live') await closed;
  }

  private awaitPong(): void {
    clearTimeout(this.pongTimer);
    this.pongTimer = setTimeout(() => this.client.terminate(), PONG_TIMEOUT_MS);
  }

  private async *items<Data, Item>(
    request: SubscribePayload,
    read: (answer: GraphQLAnswer<Data>) => Item,
    end: AbortSignal,
  ): AsyncGenerator<Item> {
    let isRenewed = false;
    while (!end.aborted) {
      const answers = this.client.iterate<Data>(request);
      const stop = () => void answers.return?.();
      end.addEventListener('abort', stop);
      try {
        for await (const answer of answers) {
          isRenewed = false;
          yield read(answer as GraphQLAnswer<Data>);
        }
        return;
      } catch (error) {
        if (isRenewed || !(await this.hasNextToken(error))) throw refusalOf(error);
        isRenewed = true;
      } finally {
        end.removeEventListener('abort', stop);
      }
    }
  }

  private async signIn(): Promise<Record<string, string>> {
    const { renewed } = this;
    this.renewed = undefined;
    try {
      this.token = await (renewed ?? this.transport.token());
    } catch (error) {
      this.tokenError = error;
      throw error;
    }
    return this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
  }

  /** Asks for another token if the platform refused this one. Returns the state of the socket. */
  private afterClose(code: unknown): SocketState {
    if (code === NORMAL_CLOSURE) return 'idle';
    if (code !== UNKNOWN_TOKEN && code !== ENDED_TOKEN) return 'lost';
    this.renewed = this.transport.token(this.token);
    this.renewed.catch(() => undefined); // thrown by the next sign-in
    return 'connecting';
  }

  /** Whether the socket was closed because the platform did not know its token, and there is another one. */
  private async hasNextToken(thrown: unknown): Promise<boolean> {
    if (asRecord(thrown).code !== UNKNOWN_TOKEN) return false;
    const { token, renewed } = this;
    const next = await renewed?.catch(() => undefined);
    if (next !== undefined && next !== token) return true;
    this.renewed = undefined;
    return false;
  }
}

/** Returns the error of what graphql-ws throws: the errors of a refused subscription, or the event of a closed socket. */
function refusalOf(thrown: unknown): unknown {
  if (Array.isArray(thrown)) return errorIn({ errors: thrown });
  const { code, reason } = asRecord(thrown);
  if (typeof code !== 'number') return thrown;
  const sentence = typeof reason === 'string' && reason !== '' ? reason : `The websocket was closed with ${code}.`;
  return new PlatformError(sentence, undefined, CODE_OF_CLOSE.get(code) ?? 'UNAVAILABLE');
}
