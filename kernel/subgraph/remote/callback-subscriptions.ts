import { randomUUID } from 'node:crypto';
import { unavailable } from '../../errors.js';
import { parseForJson } from '../../scalars/exact-json.js';
import { matchesSecret } from '../../security/credentials.js';
import type { RemoteEndpoint } from './remote-subgraph.js';
import type { SubgraphRequest, SubgraphResult } from '../subgraph-client.js';
import { Inbox } from './inbox.js';
import { readErrors, readResult } from './results.js';

/** How often subgraphs send a heartbeat of a subscription. Source: Apollo, HTTP callback protocol for GraphQL subscriptions */
const HEARTBEAT_MS = 5_000;

/** Number of intervals without a message after which a subscription ends. */
const MISSED_HEARTBEATS = 3;

/** Time of the request that begins a subscription. */
const BEGIN_MS = 25_000;

/** A message of a subgraph. */
interface CallbackMessage {
  readonly kind?: unknown;
  readonly action?: unknown;
  readonly id?: unknown;
  readonly verifier?: unknown;
  readonly payload?: unknown;
  readonly errors?: unknown;
}

type Subscribe = NonNullable<RemoteEndpoint['subscribe']>;

/** Subscriptions whose events the subgraphs send as requests to this gateway. */
export class CallbackSubscriptions {
  private readonly subscriptions = new Map<string, Subscription>();

  /** @param url under which subgraphs reach `receive`, without the id of the subscription */
  constructor(
    private readonly url: string,
    private readonly heartbeatMs = HEARTBEAT_MS,
    private readonly beginMs = BEGIN_MS,
  ) {}

  /** Returns the function that subscribes at a subgraph. */
  at(subgraph: RemoteEndpoint): Subscribe {
    return async (request, signal) => this.results(subgraph, request, signal);
  }

  /** Takes a message of a subgraph. Returns the HTTP status of its answer: 404 tells the subgraph to end the subscription. */
  receive(id: string, text: string): number {
    const message = parseMessage(text);
    if (message?.kind !== 'subscription' || message.id !== id) return 400;
    const subscription = this.subscriptions.get(id);
    const { verifier } = message;
    if (!subscription || typeof verifier !== 'string' || !matchesSecret(verifier, [subscription.verifier])) return 404;
    return subscription.take(message);
  }

  private async *results(
    subgraph: RemoteEndpoint,
    request: SubgraphRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SubgraphResult> {
    const id = randomUUID();
    const subscription = new Subscription(MISSED_HEARTBEATS * this.heartbeatMs, noAnswer(subgraph));
    this.subscriptions.set(id, subscription);
    const leave = () => subscription.inbox.end();
    signal.addEventListener('abort', leave, { once: true });
    try {
      const extension = {
        callbackUrl: `${this.url}/${id}`,
        subscriptionId: id,
        verifier: subscription.verifier,
        heartbeatIntervalMs: this.heartbeatMs,
      };
      const time = AbortSignal.any([signal, AbortSignal.timeout(this.beginMs)]);
      const errors = await begin(subgraph, request, { subscription: extension, signal: time });
      if (errors) yield { errors };
      else yield* subscription.inbox.read();
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
      this.subscriptions.delete(id);
    }
  }
}

/** Sends the operation. Returns the errors with which the subgraph refuses it. @throws UNAVAILABLE */
async function begin(
  subgraph: RemoteEndpoint,
  request: SubgraphRequest,
  { subscription, signal }: { readonly subscription: object; readonly signal: AbortSignal },
): Promise<SubgraphResult['errors']> {
  const { query, variables } = request;
  try {
    const response = await fetch(subgraph.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json;callbackSpec=1.0, application/json',
        ...subgraph.headers(request),
      },
      body: JSON.stringify({ query, variables, extensions: { subscription } }),
      signal,
    });
    const { errors = [] } = readResult(await response.json()) ?? {};
    if (errors.length > 0) return errors;
    if (response.ok) return undefined;
  } catch {
    // The subgraph does not answer, or not with JSON.
  }
  throw noAnswer(subgraph);
}

/** One subscription. It ends after the time without a message. */
class Subscription {
  readonly verifier = randomUUID();
  readonly inbox = new Inbox(() => clearTimeout(this.timer));
  private readonly timer: NodeJS.Timeout;

  /** @param lost the error when nothing was heard for this time */
  constructor(silenceMs: number, lost: Error) {
    this.timer = setTimeout(() => this.inbox.fail(lost), silenceMs).unref();
  }

  /** Takes a message. Returns the HTTP status of its answer. */
  take({ action, payload, errors }: CallbackMessage): number {
    if (this.inbox.isEnded) return 404;
    this.timer.refresh();
    if (action === 'check') return 204;
    if (action === 'complete') {
      this.inbox.end(readErrors(errors));
      return 202;
    }
    const result = readResult(payload);
    if (action !== 'next' || !result) return 400;
    this.inbox.add(result);
    return 204;
  }
}

function parseMessage(text: string): CallbackMessage | undefined {
  try {
    return Object(parseForJson(text)) as CallbackMessage;
  } catch {
    return undefined;
  }
}

function noAnswer({ name }: RemoteEndpoint): Error {
  return unavailable(`The ${name} part of the platform does not answer just now.`);
}
