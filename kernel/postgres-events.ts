import { Client } from 'pg';
import { Subscribers, type Events, type PlatformEvent } from './events.js';
import type { Logger } from './log.js';

/** Milliseconds between attempts to hear PostgreSQL again after the connection broke. */
const RECONNECT_MS = 500;

/** The channel on which a subgraph announces its changes. */
export function channelOf(subgraph: string): string {
  return `archipelago_${subgraph}`;
}

/** Hears a subgraph's announcements on a connection of its own; after a break every subscriber is told to re-read. */
export async function openPostgresEvents(url: string, subgraph: string, log: Logger): Promise<Events> {
  const events = new PostgresEvents(url, channelOf(subgraph), log);
  try {
    await events.listen();
  } catch (error) {
    await events.close();
    throw error;
  }
  return events;
}

class PostgresEvents implements Events {
  private readonly subscribers = new Subscribers();
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
    client.on('notification', ({ payload }) => this.subscribers.deliver(payload ?? ''));
    this.client = client;
    await client.connect();
    await client.query(`LISTEN ${this.channel}`);
  }

  subscribe(topics: readonly string[], signal: AbortSignal): AsyncIterableIterator<PlatformEvent> {
    return this.subscribers.add(topics, signal);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    this.subscribers.end();
    await this.client?.end();
  }

  private reconnect(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      this.listen().then(
        () => this.subscribers.tellAllToReread(),
        () => undefined, // `end` follows every failed attempt and schedules the next
      );
    }, RECONNECT_MS);
  }
}
