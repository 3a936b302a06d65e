/** Says that something changed, never what: readers re-read, so a lost or doubled event does no harm. */
export interface PlatformEvent {
  /** E.g. `topology:17`. */
  readonly topic: string;
  /** Which of the things that share the topic; undefined: any, as some events may have been missed. */
  readonly id?: string;
}

/** Changes of one subgraph's rows, as other processes and this one commit them. */
export interface Events {
  /** Topics as they change from this call on; the same event is never pending twice. Ends with the signal. */
  subscribe(topics: readonly string[], signal: AbortSignal): AsyncIterableIterator<PlatformEvent>;
  /** Announces what was just committed, in this process at once. */
  publish(event: PlatformEvent): void;
  /** How PostgreSQL carries events; undefined: it does not. */
  readonly postgres?: {
    /** The channel on which changes are announced. */
    readonly channel: string;
    /** By which other processes see in `application_name` that this one lives. */
    readonly processName: string;
  };
  /** Ends once what was published is announced. */
  close(): Promise<void>;
}

/** Those who wait for events, by topic. */
export class Subscribers {
  private readonly readers = new Map<string, Set<Reader>>();

  /** Registers at once; the stream ends with the signal. */
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

  /** Hands on what a process announced. */
  deliver(event: PlatformEvent): void {
    for (const reader of this.readers.get(event.topic) ?? []) reader.push(event);
  }

  /** Some events may have been missed: everyone looks again. */
  tellAllToReread(): void {
    for (const [topic, readers] of this.readers) for (const reader of readers) reader.push({ topic });
  }

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

/** Different events that a subscriber may be behind; one that is further behind is told that it missed some. */
const MAX_PENDING = 256;

/** Holds the events of a subscriber that is busy. */
class Reader {
  private readonly pending = new Map<string, PlatformEvent>();
  private ended = false;
  private wake: (() => void) | undefined;

  push(event: PlatformEvent): void {
    if (this.pending.size >= MAX_PENDING) {
      this.pending.clear();
      this.pending.set(event.topic, { topic: event.topic });
    } else {
      this.pending.set(`${event.topic} ${event.id ?? ''}`, event);
    }
    this.wake?.();
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
