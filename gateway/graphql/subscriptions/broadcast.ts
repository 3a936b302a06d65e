import { createHash } from 'node:crypto';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ExecutionResult } from 'graphql';
import type { Engine } from '../../engine/engine.js';
import type { RequestContext, Variables } from '../../engine/execution.js';
import type { PlannedOperation } from '../../engine/planned-operation.js';
import { SerializedResult } from '../serialized-result.js';

/** After so many subscribers other work runs. */
const SENT_AT_ONCE = 250;

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
  /** Whether the client leaves so many bytes unread that more should wait. */
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

/** Equal for subscriptions that always get the same answers: operation, variables and token are the same. */
function keyOf({ query, planned, variables, context }: Subscription): string {
  const parts = [query, planned.operation.name?.value, variables, context.viewer, context.isBillingBypassed];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/**
 * Executes subscriptions. Each begins by itself, with its own authorisation and its own first event. When another one
 * with the same operation, variables and token has come to the same state of the source, one goes on for both: each
 * event is then executed, serialised and framed once.
 */
export class Broadcasts {
  /** The broadcasts that wait for the next event, by the state of their source and the key of their subscribers. */
  private readonly waiting = new WeakMap<object, Map<string, Broadcast>>();

  constructor(readonly engine: Engine) {}

  /** Executes a subscription until it ends. */
  async run(subscriber: Subscriber): Promise<void> {
    if (!subscriber.isEnded) await new Broadcast(this, subscriber).run();
  }

  /** Returns the broadcast that waits in this state, or lets this one wait there. */
  meet(state: object, broadcast: Broadcast): Broadcast {
    const here = this.waiting.get(state) ?? new Map<string, Broadcast>();
    this.waiting.set(state, here);
    const other = here.get(broadcast.key) ?? broadcast;
    here.set(broadcast.key, other);
    return other;
  }

  /** Ends the wait. */
  leave(state: object, { key }: Broadcast): void {
    this.waiting.get(state)?.delete(key);
  }
}

/** The events of one execution for all its subscribers. */
class Broadcast {
  readonly key: string;
  private readonly subscribers = new Set<Subscriber>();
  private readonly stop = new AbortController();
  private state: object | undefined;

  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly first: Subscriber,
  ) {
    this.key = keyOf(first.operation);
    this.add(first);
  }

  add(subscriber: Subscriber): void {
    this.subscribers.add(subscriber);
    subscriber.source = this;
  }

  remove(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    subscriber.source = undefined;
    if (this.subscribers.size === 0) this.stop.abort();
  }

  async run(): Promise<void> {
    const { planned, variables, context } = this.first.operation;
    let failure: unknown;
    try {
      const listening = { signal: this.stop.signal, around: this.around };
      const events = this.broadcasts.engine.subscribe(planned, variables, context, listening);
      for await (const { result, state } of events) {
        this.leaveState();
        await this.deliver(result);
        if (this.subscribers.size === 0 || (state && this.joinOther(state))) return;
      }
    } catch (error) {
      failure = error;
    } finally {
      this.leaveState();
      this.stop.abort();
      for (const subscriber of this.subscribers) subscriber.finish(failure);
    }
  }

  /** A shared event is executed in the trace of the subscriber that has waited longest. */
  private readonly around = (execute: () => Promise<ExecutionResult>): Promise<ExecutionResult> => {
    const [longest] = this.subscribers;
    return longest?.around ? longest.around(execute) : execute();
  };

  /** Hands the subscribers over to a broadcast that waits in the same state. Returns whether there is one. */
  private joinOther(state: object): boolean {
    const other = this.broadcasts.meet(state, this);
    if (other === this) {
      this.state = state;
      return false;
    }
    for (const subscriber of this.subscribers) other.add(subscriber);
    this.subscribers.clear();
    return true;
  }

  private leaveState(): void {
    if (this.state) this.broadcasts.leave(this.state, this);
    this.state = undefined;
  }

  /** Waits for a slow client only if nobody else gets the events. */
  private async deliver(result: ExecutionResult): Promise<void> {
    const [only, second] = this.subscribers;
    const serialized = new SerializedResult(result);
    let count = 0;
    for (const subscriber of this.subscribers) {
      if (second && subscriber.isFull) this.beginAgain(subscriber);
      else if (result.errors) subscriber.sendErrors(result);
      else subscriber.send(serialized);
      if (++count % SENT_AT_ONCE === 0) await yieldToEventLoop();
    }
    if (!second) await only?.drained();
  }

  /** A slow client gets nothing until it has read; then its subscription begins again, with the present state. */
  private beginAgain(subscriber: Subscriber): void {
    this.remove(subscriber);
    void subscriber.drained().then(() => this.broadcasts.run(subscriber));
  }
}
