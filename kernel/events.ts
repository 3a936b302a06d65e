import { Client } from 'pg';
import type { Transaction } from './database.js';
import type { Logger } from './log.js';

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
  close(): Promise<void>;
}

/** Announces the event with the transaction: it is heard exactly if the transaction commits. */
export async function announce(transaction: Transaction, subgraph: string, event: PlatformEvent): Promise<void> {
  await transaction.execute('SELECT pg_notify($1, $2)', [channelOf(subgraph), JSON.stringify(event)]);
}

function channelOf(subgraph: string): string {
  return `archipelago_${subgraph}`;
}

/** Milliseconds between attempts to hear PostgreSQL again after the connection broke. */
const RECONNECT_MS = 500;

/** Listens on a connection of its own; after a break every subscriber is told to re-read. */
export async function openEvents(url: string, subgraph: string, log: Logger): Promise<Events> {
  const events = new NotifiedEvents(url, channelOf(subgraph), log);
  try {
    await events.listen();
  } catch (error) {
    await events.close();
    throw error;
  }
  return events;
}

class NotifiedEvents implements Events {
  private readonly readers = new Map<string, Set<Reader>>();
  private client: Client | undefined;
  private closed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly url: string,
    private readonly channel: string,
    private readonly log: Logger,
  ) {}

  async listen(): Promise<void> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 5_000, keepAlive: true });
    client.on('error', (error) => this.log.warn({ error: error.message }, 'the event connection broke'));
    client.on('end', () => this.reconnect());
    client.on('notification', ({ payload }) => this.deliver(payload ?? ''));
    this.client = client;
    await client.connect();
    await client.query(`LISTEN ${this.channel}`);
  }

  subscribe(topics: readonly string[], signal: AbortSignal): AsyncIterableIterator<PlatformEvent> {
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

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    for (const readers of this.readers.values()) for (const reader of readers) reader.end();
    await this.client?.end();
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

  private deliver(payload: string): void {
    const event = JSON.parse(payload) as PlatformEvent;
    for (const reader of this.readers.get(event.topic) ?? []) reader.push(event);
  }

  private reconnect(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      this.listen().then(
        () => this.tellAllToReread(),
        () => undefined, // `end` follows every failed attempt and schedules the next
      );
    }, RECONNECT_MS);
  }

  private tellAllToReread(): void {
    for (const [topic, readers] of this.readers) for (const reader of readers) reader.push({ topic });
  }
}

/** Different events that a subscriber may be behind; one that is further behind is told that it missed some. */
const MOST_PENDING = 256;

/** Holds the events of a subscriber that is busy. */
class Reader {
  private readonly pending = new Map<string, PlatformEvent>();
  private ended = false;
  private wake: (() => void) | undefined;

  push(event: PlatformEvent): void {
    if (this.pending.size >= MOST_PENDING) {
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
