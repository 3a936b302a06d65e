import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Events } from './events.js';

/** After a value that took long to hand out, as many times as long is rested, up to a limit: one topic never takes all the time. */
const RESTS_PER_ROUND = 2;
const MAX_REST_MS = 2_000;

/** How a reader paces itself. */
export interface PollOptions {
  /** Milliseconds between a value and the next look, at least. */
  readonly everyMs: number;
  /** Passes the time; ends early with the signal, never rejects. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What is followed. All who follow a topic get what the first of them reads: `read` may not depend on who asks. */
export interface FollowedTopic<Value> {
  readonly topic: string;
  readonly events: Pick<Events, 'subscribe'>;
  /** Undefined: it is no more. */
  readonly read: () => Promise<Value | undefined>;
  /** Ends this one's following. */
  readonly signal: AbortSignal;
}

/**
 * Reads what a topic is about once for all in this process who follow it: at once after a change, then, however many changes
 * come, in steps of a time. Who is slow misses what was between and gets the newest.
 */
export class SharedSubscription<Value extends object> {
  private readonly topics = new Map<string, Topic<Value>>();
  private readonly pace: Required<PollOptions>;

  constructor({ everyMs, pause = pass }: PollOptions) {
    this.pace = { everyMs, pause };
  }

  /** The value as it is now, then after changes; the same object for all. Ends when it is no more. @throws what `read` throws */
  async *follow({ topic: name, events, read, signal }: FollowedTopic<Value>): AsyncGenerator<Value> {
    if (signal.aborted) return;
    const topic = this.topics.get(name) ?? this.open(name, events, read);
    const follower = topic.join();
    const leave = () => topic.leave(follower);
    signal.addEventListener('abort', leave, { once: true });
    try {
      for (let value = await follower.next(); value; value = await follower.next()) yield value;
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }

  private open(name: string, events: FollowedTopic<Value>['events'], read: FollowedTopic<Value>['read']): Topic<Value> {
    const stop = new AbortController();
    const changes = events.subscribe([name], stop.signal);
    const topic: Topic<Value> = new Topic({ read, changes, stop, pace: this.pace }, () => {
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
  readonly pace: Required<PollOptions>;
}

/** One thing that is followed, as long as it is. */
class Topic<Value extends object> {
  private readonly followers = new Set<Follower<Value>>();
  private newest: Value | undefined;
  /** Whether something may have changed since the newest was read. */
  private isStale = true;
  private wake: (() => void) | undefined;

  constructor(
    private readonly source: Source<Value>,
    private readonly onEnd: () => void,
  ) {
    void this.listen();
    void this.run();
  }

  /** One more; it is given the newest at once unless that is stale. */
  join(): Follower<Value> {
    const follower = new Follower<Value>();
    this.followers.add(follower);
    if (this.newest && !this.isStale) follower.give(this.newest);
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
    for await (const _ of this.source.changes) {
      this.isStale = true;
      this.wake?.();
    }
    // Nobody tells of changes any more.
    if (!this.source.stop.signal.aborted) this.end();
  }

  private async run(): Promise<void> {
    const { read, stop, pace } = this.source;
    try {
      while (!stop.signal.aborted) {
        this.isStale = false;
        const value = await read();
        if (!value) return this.end();
        const startMs = performance.now();
        await this.handOut(value);
        const roundMs = performance.now() - startMs;
        const restMs = Math.min(MAX_REST_MS, RESTS_PER_ROUND * roundMs);
        await pace.pause(Math.max(pace.everyMs, restMs), stop.signal);
        await this.change();
      }
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** To one after the other; between two of them everything else has its turn, as each may make a long text of it. */
  private async handOut(value: Value): Promise<void> {
    this.newest = value;
    // Who comes meanwhile may know of a change already.
    const present = [...this.followers];
    for (const follower of present) {
      follower.give(value);
      await nextTurn();
    }
  }

  private async change(): Promise<void> {
    while (!this.isStale && !this.source.stop.signal.aborted)
      await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = undefined;
  }

  private end(fault?: Error): void {
    for (const follower of this.followers) follower.end(fault);
    this.followers.clear();
    this.close();
  }
}

/** One who follows: holds the newest value that it has not taken. */
class Follower<Value extends object> {
  private waiting: Value | undefined;
  private given: Value | undefined;
  private isOver = false;
  private fault: Error | undefined;
  private wake: (() => void) | undefined;

  give(value: Value): void {
    if (value === this.given) return;
    this.given = this.waiting = value;
    this.wake?.();
  }

  end(fault?: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.fault = fault;
    this.wake?.();
  }

  /** Undefined at the end. */
  async next(): Promise<Value | undefined> {
    while (!this.waiting && !this.isOver) await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = undefined;
    if (this.fault) throw this.fault;
    const value = this.isOver ? undefined : this.waiting;
    this.waiting = undefined;
    return value;
  }
}

function pass(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
