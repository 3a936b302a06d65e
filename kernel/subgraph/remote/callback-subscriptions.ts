import { randomUUID } from 'node:crypto';
import { unavailable } from '../../errors.js';
import { isOneOf } from '../../security/credentials.js';
import type { RemoteEndpoint } from './remote-subgraph.js';
import type { SubgraphRequest, SubgraphResult } from '../subgraph-client.js';

/** How often subgraphs show that a subscription lives. Source: Apollo, HTTP callback protocol for GraphQL subscriptions */
const HEARTBEAT_MS = 5_000;

/** A subscription of which nothing was heard for so many intervals ends. */
const MISSED_HEARTBEATS = 3;

/** Time of the request that begins a subscription. */
const BEGIN_MS = 25_000;

/** Events that wait for a slow client; above it the subscription ends. */
const MAX_WAITING = 256;

/** A message of a subgraph. */
interface CallbackMessage {
  readonly kind?: unknown;
  readonly action?: unknown;
  readonly id?: unknown;
  readonly verifier?: unknown;
  readonly payload?: SubgraphResult | null;
  readonly errors?: SubgraphResult['errors'];
}

type Subscribe = NonNullable<RemoteEndpoint['subscribe']>;

/** Subscriptions whose events the subgraphs send as requests to this gateway. */
export class CallbackSubscriptions {
  private readonly inboxes = new Map<string, Inbox>();

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
    const inbox = this.inboxes.get(id);
    if (!inbox || typeof message.verifier !== 'string' || !isOneOf(message.verifier, [inbox.verifier])) return 404;
    return inbox.take(message);
  }

  private async *results(
    subgraph: RemoteEndpoint,
    request: SubgraphRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SubgraphResult> {
    const id = randomUUID();
    const inbox = new Inbox(MISSED_HEARTBEATS * this.heartbeatMs);
    this.inboxes.set(id, inbox);
    const leave = () => inbox.end();
    signal.addEventListener('abort', leave, { once: true });
    try {
      const subscription = {
        callbackUrl: `${this.url}/${id}`,
        subscriptionId: id,
        verifier: inbox.verifier,
        heartbeatIntervalMs: this.heartbeatMs,
      };
      const time = AbortSignal.any([signal, AbortSignal.timeout(this.beginMs)]);
      const errors = await begin(subgraph, request, { subscription, signal: time });
      if (errors) yield { errors };
      else yield* inbox.read();
    } finally {
      signal.removeEventListener('abort', leave);
      inbox.end();
      this.inboxes.delete(id);
    }
    if (inbox.isLost && !signal.aborted) throw noAnswer(subgraph);
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
    const { errors } = (await response.json()) as SubgraphResult;
    if (Array.isArray(errors) && errors.length > 0) return errors;
    if (response.ok) return undefined;
  } catch {
    // The subgraph does not answer, or not with JSON.
  }
  throw noAnswer(subgraph);
}

/** The events of one subscription that are not read yet. */
class Inbox {
  readonly verifier = randomUUID();
  /** Whether the subscription ended because nothing was heard of it, or because its client is too slow. */
  isLost = false;
  private readonly waiting: SubgraphResult[] = [];
  private isEnded = false;
  private wake: (() => void) | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(silenceMs: number) {
    this.timer = setTimeout(() => this.lose(), silenceMs).unref();
  }

  /** Takes a message. Returns the HTTP status of its answer. */
  take({ action, payload, errors }: CallbackMessage): number {
    this.timer.refresh();
    if (action === 'check') return 204;
    if (action === 'complete') {
      this.end(errors);
      return 202;
    }
    if (action !== 'next' || !payload) return 400;
    this.add(payload);
    return 204;
  }

  end(errors?: SubgraphResult['errors']): void {
    if (this.isEnded) return;
    if (errors && errors.length > 0) this.waiting.push({ errors });
    this.isEnded = true;
    clearTimeout(this.timer);
    this.wake?.();
  }

  async *read(): AsyncGenerator<SubgraphResult> {
    while (!this.isLost) {
      const next = this.waiting.shift();
      if (next) yield next;
      else if (this.isEnded) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private add(result: SubgraphResult): void {
    if (this.isEnded) return;
    this.waiting.push(result);
    if (this.waiting.length > MAX_WAITING) this.lose();
    this.wake?.();
  }

  private lose(): void {
    this.isLost = true;
    this.end();
  }
}

function parseMessage(text: string): CallbackMessage | undefined {
  try {
    return Object(JSON.parse(text)) as CallbackMessage;
  } catch {
    return undefined;
  }
}

function noAnswer({ name }: RemoteEndpoint): Error {
  return unavailable(`The ${name} part of the platform does not answer just now.`);
}
