import { setImmediate as yieldToEventLoop, setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Events } from '../events.js';

/** A topic pauses for this multiple of the duration of a delivery or a quick read, up to a limit, so that it never uses all CPU time. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE_MS = 2_000;

/** How often a value is read. */
export interface PollOptions {
  /** Minimum milliseconds between a value and the next read. */
  readonly everyMs: number;
  /** Whether it is shorter after a quick read: twice the duration of the read. Default: false. */
  readonly isShorterAfterQuickReads?: boolean;
  /**
   * Whether a follower only gets values that were read after it joined, because changes of other processes are reported
   * late; equal values are then not repeated. Default: it gets the latest value at once, unless a change is known.
   */
  readonly isReadForJoiners?: boolean;
  /** Waits; ends early with the signal, never rejects. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A clock in milliseconds. */
  readonly now?: () => number;
}

/** The topic to follow. All followers share the `read` of the first, so it must not depend on the caller. */
export interface TopicOptions<Value> {
  readonly topic: string;
  readonly events: Pick<Events, 'subscribe'>;
  /** Returns undefined when the object no longer exists. */
  readonly read: () => Promise<Value | undefined>;
  /** Unsubscribes this follower. */
  readonly signal: AbortSignal;
}

/**
 * Reads the value of a topic once for all its followers in this process. It reads at once after a change, but not more
 * often than the interval. A slow follower skips values and gets the latest.
 */
export class SharedSubscription<Value extends object> {
  private readonly topics = new Map<string, Topic<Value>>();
  private readonly polling: Required<PollOptions>;

  constructor(options: PollOptions) {
    const defaults = {
      isShorterAfterQuickReads: false,
      isReadForJoiners: false,
      pause: wait,
      now: () => performance.now(),
    };
    this.polling = { ...defaults, ...options };
  }

  /** Yields the current value, then the value after each change; all followers get the same object. Ends when the object no longer exists. @throws what `read` throws */
  async *follow({ topic: name, events, read, signal }: TopicOptions<Value>): AsyncGenerator<Value> {
    if (signal.aborted) return;
    const known = this.topics.get(name);
    const topic = known ?? this.open(name, events, read);
    const follower = topic.join();
    if (!known) topic.start();
    const leave = () => topic.leave(follower);
    signal.addEventListener('abort', leave, { once: true });
    try {
      for (let value = await follower.next(); value; value = await follower.next()) yield value;
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }

  private open(name: string, events: TopicOptions<Value>['events'], read: TopicOptions<Value>['read']): Topic<Value> {
    const stop = new AbortController();
    const changes = events.subscribe([name], stop.signal);
    const topic: Topic<Value> = new Topic({ read, changes, stop, polling: this.polling }, () => {
      if (this.topics.get(name) === topic) this.topics.delete(name);
    });
    this.topics.set(name, topic);
    return topic;
  }
}

interface Source<Value> {
  readonly read: () => Promise<Value | undefined>;
  /** Ends with `stop`. */
  readonly changes: AsyncIterableIterator<unknown>;
  readonly stop: AbortController;
  readonly polling: Required<PollOptions>;
}

/** A topic with at least one follower. */
class Topic<Value extends object> {
  private readonly followers = new Set<Follower<Value>>();
  private latest: Value | undefined;
  /** Whether something may have changed since the last read began. */
  private isStale = true;
  private isReading = false;
  private wake: (() => void) | undefined;

  constructor(
    private readonly source: Source<Value>,
    private readonly onEnd: () => void,
  ) {}

  /** Reads for the first follower, and then on after each change. */
  start(): void {
    void this.listen();
    void this.run();
  }

  /** Adds a follower, which gets the latest value at once unless a newer one is or will be read. */
  join(): Follower<Value> {
    const follower = new Follower<Value>();
    this.followers.add(follower);
    if (this.source.polling.isReadForJoiners) this.readAgain();
    else if (this.latest && !this.isStale && !this.isReading) follower.give(this.latest);
    return follower;
  }

  leave(follower: Follower<Value>): void {
    follower.end();
    this.followers.delete(follower);
    if (this.followers.size === 0) this.close();
  }

  private close(): void {
    this.onEnd();
    this.source.stop.abort();
    this.wake?.();
  }

  private async listen(): Promise<void> {
    for await (const _ of this.source.changes) this.readAgain();
    // The event stream ended by itself.
    if (!this.source.stop.signal.aborted) this.end();
  }

  private async run(): Promise<void> {
    const { stop, polling } = this.source;
    try {
      while (!stop.signal.aborted) {
        const joined = [...this.followers];
        const startMs = polling.now();
        const value = await this.read();
        if (!value) return this.end();
        const readMs = polling.now();
        await this.deliver(value, polling.isReadForJoiners ? joined : [...this.followers]);
        await polling.pause(this.pauseMs(readMs - startMs, polling.now() - readMs), stop.signal);
        await this.change();
      }
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private pauseMs(readMs: number, deliveryMs: number): number {
    const { everyMs, isShorterAfterQuickReads } = this.source.polling;
    const leastMs = isShorterAfterQuickReads ? Math.min(everyMs, PAUSE_FACTOR * readMs) : everyMs;
    return Math.max(leastMs, Math.min(MAX_PAUSE_MS, PAUSE_FACTOR * deliveryMs));
  }

  private readAgain(): void {
    this.isStale = true;
    this.wake?.();
  }

  private async read(): Promise<Value | undefined> {
    [this.isStale, this.isReading] = [false, true];
    try {
      const value = await this.source.read();
      const isKnown = this.source.polling.isReadForJoiners && isDeepStrictEqual(value, this.latest);
      return isKnown ? this.latest : value;
    } finally {
      this.isReading = false;
    }
  }

  /**
   * Delivers to one follower after another. Other work runs in between, because a follower may serialize a large value.
   * @param followers without those that join now, which may already know of a later change
   */
  private async deliver(value: Value, followers: readonly Follower<Value>[]): Promise<void> {
    this.latest = value;
    for (const follower of followers) {
      follower.give(value);
      await yieldToEventLoop();
    }
  }

  private async change(): Promise<void> {
    while (!this.isStale && !this.source.stop.signal.aborted)
      await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = undefined;
  }

  private end(error?: Error): void {
    for (const follower of this.followers) follower.end(error);
    this.followers.clear();
    this.close();
  }
}

/** A follower with the latest value that it has not read. */
class Follower<Value extends object> {
  private waiting: Value | undefined;
  private delivered: Value | undefined;
  private hasEnded = false;
  private error: Error | undefined;
  private wake: (() => void) | undefined;

  give(value: Value): void {
    if (value === this.delivered) return;
    this.delivered = this.waiting = value;
    this.wake?.();
  }

  end(error?: Error): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.error = error;
    this.wake?.();
  }

  /** Returns the next value; undefined at the end. */
  async next(): Promise<Value | undefined> {
    while (!this.waiting && !this.hasEnded) await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = undefined;
    if (this.error) throw this.error;
    const value = this.hasEnded ? undefined : this.waiting;
    this.waiting = undefined;
    return value;
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
