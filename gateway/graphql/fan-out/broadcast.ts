import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ExecutionResult } from 'graphql';
import { rateLimited } from '../../../kernel/errors.js';
import type { Engine, SubscriptionEvent } from '../../engine/engine.js';
import type { RequestContext, Variables } from '../../engine/execution.js';
import type { PlannedOperation } from '../../engine/planned-operation.js';
import { SerializedResult } from '../serialized-result.js';

/** Number of subscribers that are sent an event before other work runs. */
const SENT_AT_ONCE = 250;

/** Limits of the events without a state that a slow client may leave unread while others get them. */
const MAX_UNREAD = { events: 256, bytes: 16 * 1024 * 1024 } as const;

const NOTHING = { events: 0, bytes: 0 };

/** A subscription that is valid. */
export interface Subscription {
  readonly query: string;
  readonly planned: PlannedOperation;
  readonly variables: Variables;
  readonly context: RequestContext;
}

/** The client of a subscription. */
export interface Subscriber {
  readonly operation: Subscription;
  /** What its events come from: undefined before the first, and while the client is too slow. */
  source: { readonly remove: (subscriber: Subscriber) => void } | undefined;
  readonly isEnded: boolean;
  /** Whether more bytes should wait, because the client has many unread. */
  readonly isFull: boolean;
  /** Resolves when more can be sent, and also when the client has disconnected. */
  drained(): Promise<void>;
  /** Runs around the execution of each event that begins with this subscriber. */
  around?(execute: () => Promise<ExecutionResult>): Promise<ExecutionResult>;
  /** Sends a result without errors. */
  send(result: SerializedResult): void;
  /** Sends a result with errors, which are logged for each client. */
  sendErrors(result: ExecutionResult): void;
  /** Ends the subscription; an error is reported. */
  finish(error?: unknown): void;
}

/**
 * Equal for subscriptions that always get the same answers: operation, variables and what the viewer may see are the same.
 * Two tokens of a user may see the same. Each client's own token is watched where its connection is.
 */
function keyOf({ query, planned, variables, context }: Subscription): string {
  const { viewer } = context;
  const scope = 'tokenId' in viewer ? { ...viewer, tokenId: undefined, expiresAt: undefined } : viewer;
  const parts = [query, planned.operation.name?.value, variables, scope, context.isBillingBypassed];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/**
 * Executes subscriptions. Each begins by itself, with its own authorisation and its own first event. When another one
 * with the same operation, variables and scope has reached the same state of the source, one serves both: each
 * event is then executed, serialised and framed once.
 */
export class Broadcasts {
  /** Those that others can join, by the key of their subscribers and the state of their source. */
  private readonly joinable = new Map<string, Broadcast>();

  /** @param isForeign whether sources do not tell their state: all equal subscriptions are then one, as in other gateways */
  constructor(
    readonly engine: Engine,
    readonly isForeign: boolean,
  ) {}

  /** Executes a subscription until it ends. @param state after the last event that the client got; empty: it begins */
  run(subscriber: Subscriber, state = ''): void {
    if (subscriber.isEnded) return;
    const key = keyOf(subscriber.operation);
    const other = this.joinable.get(placeOf(key, state));
    if (other) other.add(subscriber);
    else void new Broadcast(this, key, subscriber).run(state);
  }

  /** Returns the broadcast that others join in this state: the given one if there was none. */
  meet(place: string, broadcast: Broadcast): Broadcast {
    const other = this.joinable.get(place) ?? broadcast;
    this.joinable.set(place, other);
    return other;
  }

  /** Lets no others join in this state. */
  leave(place: string): void {
    this.joinable.delete(place);
  }
}

function placeOf(key: string, state: string): string {
  return `${key} ${state}`;
}

/** The events of one execution for all its subscribers. */
class Broadcast {
  private readonly subscribers = new Set<Subscriber>();
  private readonly stop = new AbortController();
  /** Of the source after the last event; empty: not known. */
  private state = '';
  /** Where others can join. */
  private place: string | undefined;
  /** What each slow client was sent since it last read everything. */
  private readonly unread = new Map<Subscriber, { readonly events: number; readonly bytes: number }>();
  private onJoin: () => void = () => undefined;

  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly key: string,
    private readonly first: Subscriber,
  ) {
    this.add(first);
  }

  add(subscriber: Subscriber): void {
    this.subscribers.add(subscriber);
    subscriber.source = this;
    this.onJoin();
  }

  remove(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    this.unread.delete(subscriber);
    subscriber.source = undefined;
    if (this.subscribers.size > 0) return;
    this.leavePlace();
    this.stop.abort();
  }

  async run(state: string): Promise<void> {
    const { planned, variables, context } = this.first.operation;
    let failure: unknown;
    this.state = state;
    try {
      if (state === '' && this.broadcasts.isForeign) this.joinOther();
      const listening = { signal: this.stop.signal, around: this.around, resumeFrom: state || undefined };
      for await (const event of this.broadcasts.engine.subscribe(planned, variables, context, listening)) {
        if (await this.take(event)) return;
      }
    } catch (error) {
      failure = error;
    } finally {
      this.leavePlace();
      this.stop.abort();
      for (const subscriber of this.subscribers) subscriber.finish(failure);
    }
  }

  /** Delivers an event. Returns whether the subscribers have left, or have moved to another broadcast. */
  private async take({ result, state = '' }: SubscriptionEvent): Promise<boolean> {
    // Where no state is known, others may join at any time.
    if (this.state || state) this.leavePlace();
    if (result) await this.deliver(result);
    this.state = state;
    return this.subscribers.size === 0 || (state !== '' && this.joinOther());
  }

  /** A shared event is executed in the trace of the subscriber that has waited longest. */
  private readonly around = (execute: () => Promise<ExecutionResult>): Promise<ExecutionResult> => {
    const [longest] = this.subscribers;
    return longest?.around ? longest.around(execute) : execute();
  };

  /** Hands the subscribers over to another broadcast in the same state, or lets others join here. Returns whether there is one. */
  private joinOther(): boolean {
    const place = placeOf(this.key, this.state);
    const other = this.broadcasts.meet(place, this);
    if (other === this) {
      this.place = place;
      return false;
    }
    for (const subscriber of this.subscribers) other.add(subscriber);
    this.subscribers.clear();
    return true;
  }

  private leavePlace(): void {
    if (this.place !== undefined) this.broadcasts.leave(this.place);
    this.place = undefined;
  }

  /** Waits for a slow client only as long as nobody else gets the events. */
  private async deliver(result: ExecutionResult): Promise<void> {
    const isShared = this.subscribers.size > 1;
    const serialized = new SerializedResult(result);
    let count = 0;
    for (const subscriber of this.subscribers) {
      if (isShared && this.leavesOut(subscriber, serialized.sizeBytes)) continue;
      if (result.errors) subscriber.sendErrors(result);
      else subscriber.send(serialized);
      if (++count % SENT_AT_ONCE === 0) await yieldToEventLoop();
    }
    const [only, second] = this.subscribers;
    if (second) return;
    const joined = new Promise<void>((resolve) => (this.onJoin = resolve));
    await Promise.race([only?.drained(), joined]);
  }

  /** Whether a slow client does not get an event that others get. */
  private leavesOut(subscriber: Subscriber, sizeBytes: number): boolean {
    const { isFull } = subscriber;
    const { state } = this;
    if (state) {
      // It gets nothing until it has read; then its subscription continues after the last event that it got.
      if (isFull) this.remove(subscriber);
      if (isFull) void subscriber.drained().then(() => this.broadcasts.run(subscriber, state));
      return isFull;
    }
    const { events, bytes } = this.unread.get(subscriber) ?? NOTHING;
    const unread = isFull ? { events: events + 1, bytes: bytes + sizeBytes } : NOTHING;
    this.unread.set(subscriber, unread);
    if (unread.events <= MAX_UNREAD.events && unread.bytes <= MAX_UNREAD.bytes) return false;
    this.remove(subscriber);
    const limits = `${MAX_UNREAD.events} events or ${MAX_UNREAD.bytes} bytes`;
    subscriber.sendErrors({ errors: [rateLimited(`More than ${limits} were not read.`)] });
    subscriber.finish();
    return true;
  }
}
