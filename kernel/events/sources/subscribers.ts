import type { PlatformEvent } from '../events.js';

/** Delivers events to all subscribers of their topic in this process. */
export class Subscribers {
  private readonly readers = new Map<string, Set<Reader>>();

  /**
   * Subscribes immediately. The stream ends when the signal aborts; abort it even after leaving the loop, because only that
   * unsubscribes.
   */
  add(topics: readonly string[], signal: AbortSignal): AsyncIterableIterator<PlatformEvent> {
    const reader = new Reader();
    for (const topic of topics) this.readersOf(topic).add(reader);
    const stop = () => {
      reader.end();
      for (const topic of topics) this.forget(topic, reader);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return reader.read();
  }

  /** Delivers an event to its subscribers. */
  deliver(event: PlatformEvent): void {
    for (const reader of this.readers.get(event.topic) ?? []) reader.push(event);
  }

  /** Makes every subscriber read again, because events may have been missed. */
  rereadAll(): void {
    for (const [topic, readers] of this.readers) for (const reader of readers) reader.push({ topic });
  }

  /** Ends all streams and drops their pending events. */
  end(): void {
    for (const readers of this.readers.values()) for (const reader of readers) reader.end();
  }

  private readersOf(topic: string): Set<Reader> {
    const readers = this.readers.get(topic) ?? new Set<Reader>();
    this.readers.set(topic, readers);
    return readers;
  }

  private forget(topic: string, reader: Reader): void {
    const readers = this.readers.get(topic);
    readers?.delete(reader);
    if (readers?.size === 0) this.readers.delete(topic);
  }
}

/** Maximum pending events of a subscriber; above it the events of each topic become one event without an id. */
const MAX_PENDING = 256;

/** Buffers the events of one subscriber. */
class Reader {
  private readonly pending = new Map<string, PlatformEvent>();
  private ended = false;
  private wake: (() => void) | undefined;

  push(event: PlatformEvent): void {
    if (!this.pending.has(keyOf({ topic: event.topic }))) {
      this.pending.set(keyOf(event), event);
      if (this.pending.size > MAX_PENDING) this.coalesce();
    }
    this.wake?.();
  }

  /** Replaces pending events by one per topic without an id, meaning that any object may have changed. */
  private coalesce(): void {
    const topics = new Set([...this.pending.values()].map(({ topic }) => topic));
    this.pending.clear();
    for (const topic of topics) this.pending.set(keyOf({ topic }), { topic });
  }

  end(): void {
    this.ended = true;
    this.wake?.();
  }

  async *read(): AsyncIterableIterator<PlatformEvent> {
    while (!this.ended) {
      const [next] = this.pending;
      if (next) {
        this.pending.delete(next[0]);
        yield next[1];
      } else {
        await new Promise<void>((resolve) => (this.wake = resolve));
        this.wake = undefined;
      }
    }
  }
}

function keyOf({ topic, id = '' }: PlatformEvent): string {
  return `${topic} ${id}`;
}
