import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { EventLag } from './event-lag.js';
import type { Events, PlatformEvent } from './events.js';
import { Subscribers } from './sources/subscribers.js';
import type { Logger } from '../telemetry/log.js';

/** Milliseconds between attempts to reconnect. */
const RECONNECT_DELAY_MS = 500;

/** Milliseconds between two checks whether another process on the same database is gone. */
const PROCESS_POLL_INTERVAL_MS = 5_000;

/** Query timeout in milliseconds; after it the connection counts as broken. */
const QUERY_TIMEOUT_MS = 20_000;

/**
 * Opens one connection that sends a subgraph's events to other processes on the same PostgreSQL and receives theirs;
 * subscribers in this process get events at once. Events that arrive while a batch is sent form the next batch, without
 * duplicates: NOTIFY takes a lock of the whole server, and this way only one connection takes it, not every commit.
 * After a reconnect, unsent events are sent and all subscribers read again. They also read again when another process
 * is gone, because a `kill -9` may come between its commit and its event.
 */
export async function openPostgresEvents(url: string, subgraph: string, log: Logger): Promise<Events> {
  const events = new PostgresEvents(url, `archipelago_${subgraph}`, { log, lag: new EventLag(subgraph) });
  try {
    await events.listen();
  } catch (error) {
    await events.close();
    throw error;
  }
  return events;
}

/** Adds an `application_name` to the URL, which overrides an earlier one. */
export function withApplicationName(url: string, name: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}application_name=${encodeURIComponent(name)}`;
}

const NOTIFY_BATCH = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload';

// The function below pg_stat_activity: the view joins roles and databases, which takes several times as long.
const LIVE_PROCESSES = `
  SELECT DISTINCT application_name AS name FROM pg_stat_get_activity(NULL)
   WHERE datid = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND starts_with(application_name, $1)`;

class PostgresEvents implements Events {
  readonly postgres: NonNullable<Events['postgres']>;
  private readonly log: Logger;
  private readonly lag: EventLag;
  private readonly subscribers = new Subscribers();
  /** Payloads that are not sent to other processes yet. */
  private readonly unsent = new Set<string>();
  private sending: Promise<void> | undefined;
  private processes: ReadonlySet<string> = new Set();
  private client: Client | undefined;
  private closed = false;
  private reconnectTimer: NodeJS.Timeout | undefined;
  private readonly pollTimer: NodeJS.Timeout;

  constructor(
    private readonly url: string,
    private readonly channel: string,
    { log, lag }: { readonly log: Logger; readonly lag: EventLag },
  ) {
    this.log = log;
    this.lag = lag;
    this.postgres = { channel, processName: `${channel} ${randomBytes(8).toString('hex')}` };
    this.pollTimer = setInterval(() => void this.checkProcesses(), PROCESS_POLL_INTERVAL_MS).unref();
  }

  async listen(): Promise<void> {
    const client = new Client({
      connectionString: withApplicationName(this.url, this.postgres.processName),
      connectionTimeoutMillis: 5_000,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', (error) => this.log.warn({ error: error.message }, 'the event connection broke'));
    client.on('end', () => this.reconnect());
    let ownId: number | undefined;
    // Events of this process were delivered when they were published.
    client.on('notification', ({ payload = '', processId }) => {
      if (processId === ownId) this.lag.returned(payload);
      else this.subscribers.deliver(JSON.parse(payload) as PlatformEvent);
    });
    this.client = client;
    await client.connect();
    // Events need not survive a crash, so their commits do not wait for the disk.
    await client.query('SET synchronous_commit = off');
    const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id');
    ownId = rows[0]?.id;
    await client.query(`LISTEN ${this.channel}`);
    await this.checkProcesses();
  }

  publish(event: PlatformEvent): void {
    this.subscribers.deliver(event);
    const payload = JSON.stringify(event);
    this.lag.published(payload);
    this.unsent.add(payload);
    this.send();
  }

  subscribe(topics: readonly string[], signal: AbortSignal): AsyncIterableIterator<PlatformEvent> {
    return this.subscribers.add(topics, signal);
  }

  async close(): Promise<void> {
    await this.sending;
    this.closed = true;
    clearTimeout(this.reconnectTimer);
    clearInterval(this.pollTimer);
    this.subscribers.end();
    await this.client?.end();
  }

  /** Sends one batch after another; after a failure the events wait for the next connection. */
  private send(): void {
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
  }

  private async sendAll(): Promise<void> {
    while (this.unsent.size > 0) {
      const batch = [...this.unsent];
      this.unsent.clear();
      try {
        await this.client?.query({ name: 'notify', text: NOTIFY_BATCH, values: [this.channel, batch] });
      } catch (error) {
        for (const payload of batch) this.unsent.add(payload);
        this.log.warn({ err: error }, 'events are sent when PostgreSQL answers again');
        // 'end' opens another connection, which sends them.
        void this.client?.end();
        return;
      }
    }
  }

  /** A process is gone when its last connection is closed; all its commits are readable then. */
  private async checkProcesses(): Promise<void> {
    const { client } = this;
    const found = await client
      ?.query<{ name: string }>(LIVE_PROCESSES, [`${this.channel} `])
      // A connection that was lost without an end has no other sign. 'end' opens the next one.
      .catch(() => void client.end());
    if (!found) return;
    const processes = new Set(found.rows.map(({ name }) => name));
    const isGone = [...this.processes].some((name) => !processes.has(name));
    this.processes = processes;
    if (isGone) this.subscribers.rereadAll();
  }

  private reconnect(): void {
    if (this.closed) return;
    this.reconnectTimer = setTimeout(() => {
      this.listen().then(
        () => this.resume(),
        // `end` schedules the next attempt. It also follows a refused connection, but not a refused statement.
        () => void this.client?.end().catch(() => undefined),
      );
    }, RECONNECT_DELAY_MS);
  }

  private resume(): void {
    this.lag.reset();
    this.subscribers.rereadAll();
    this.send();
  }
}
