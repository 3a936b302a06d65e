import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { Subscribers, type Events, type PlatformEvent } from './events.js';
import type { Logger } from '../telemetry/log.js';

/** Milliseconds between attempts to hear PostgreSQL again after the connection broke. */
const RECONNECT_MS = 500;

/** Milliseconds between two looks whether another process on the same database is gone. */
const PEERS_MS = 5_000;

/** No answer within these milliseconds: the connection counts as broken. */
const ANSWER_MS = 20_000;

/**
 * Announces a subgraph's changes to itself at once and to other processes on the same PostgreSQL, and hears theirs, on
 * one connection. What is announced while a batch is under way goes out together in the next, the same event once:
 * NOTIFY takes a lock of the whole server, which so is taken by one connection instead of by every commit. After a break
 * what was not sent is sent, and every subscriber is told to re-read; so it is when another process is gone, as a
 * `kill -9` may come between its commit and its announcement.
 */
export async function openPostgresEvents(url: string, subgraph: string, log: Logger): Promise<Events> {
  const events = new PostgresEvents(url, `archipelago_${subgraph}`, log);
  try {
    await events.listen();
  } catch (error) {
    await events.close();
    throw error;
  }
  return events;
}

/** The URL with a name for its connections in place of any that it has. */
export function namedUrl(url: string, name: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}application_name=${encodeURIComponent(name)}`;
}

const SEND = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload';

const PEERS = `
  SELECT DISTINCT application_name AS name FROM pg_stat_activity
   WHERE datname = current_database() AND starts_with(application_name, $1)`;

class PostgresEvents implements Events {
  readonly postgres: NonNullable<Events['postgres']>;
  private readonly subscribers = new Subscribers();
  /** Payloads that other processes are yet to be told. */
  private readonly unsent = new Set<string>();
  private sending: Promise<void> | undefined;
  private peers: ReadonlySet<string> = new Set();
  private client: Client | undefined;
  private closed = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly looking: NodeJS.Timeout;

  constructor(
    private readonly url: string,
    private readonly channel: string,
    private readonly log: Logger,
  ) {
    this.postgres = { channel, processName: `${channel} ${randomBytes(8).toString('hex')}` };
    this.looking = setInterval(() => void this.lookForPeers(), PEERS_MS).unref();
  }

  async listen(): Promise<void> {
    const client = new Client({
      connectionString: namedUrl(this.url, this.postgres.processName),
      connectionTimeoutMillis: 5_000,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    client.on('error', (error) => this.log.warn({ error: error.message }, 'the event connection broke'));
    client.on('end', () => this.reconnect());
    let ownId: number | undefined;
    // Those sent from here were delivered when they were published.
    client.on('notification', ({ payload = '', processId }) => {
      if (processId !== ownId) this.subscribers.deliver(JSON.parse(payload) as PlatformEvent);
    });
    this.client = client;
    await client.connect();
    // What only says that something changed need not survive a crash: no commit of it waits for the disk.
    await client.query('SET synchronous_commit = off');
    const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id');
    ownId = rows[0]?.id;
    await client.query(`LISTEN ${this.channel}`);
    await this.lookForPeers();
  }

  publish(event: PlatformEvent): void {
    this.subscribers.deliver(event);
    this.unsent.add(JSON.stringify(event));
    this.send();
  }

  subscribe(topics: readonly string[], signal: AbortSignal): AsyncIterableIterator<PlatformEvent> {
    return this.subscribers.add(topics, signal);
  }

  async close(): Promise<void> {
    await this.sending;
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.looking);
    this.subscribers.end();
    await this.client?.end();
  }

  /** One batch after the other; what a broken connection left waits for the next. */
  private send(): void {
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
  }

  private async sendAll(): Promise<void> {
    while (this.unsent.size > 0) {
      const batch = [...this.unsent];
      this.unsent.clear();
      try {
        await this.client?.query({ name: 'announce', text: SEND, values: [this.channel, batch] });
      } catch (error) {
        for (const payload of batch) this.unsent.add(payload);
        this.log.warn({ err: error }, 'events are announced as soon as PostgreSQL answers again');
        // Its `end` begins another connection, which sends them.
        void this.client?.end();
        return;
      }
    }
  }

  /** A process is gone when its last connection is: all that it committed can be read by then. */
  private async lookForPeers(): Promise<void> {
    const found = await this.client?.query<{ name: string }>(PEERS, [`${this.channel} `]).catch(() => undefined);
    if (!found) return;
    const peers = new Set(found.rows.map(({ name }) => name));
    const isGone = [...this.peers].some((name) => !peers.has(name));
    this.peers = peers;
    if (isGone) this.subscribers.tellAllToReread();
  }

  private reconnect(): void {
    if (this.closed) return;
    this.timer = setTimeout(() => {
      this.listen().then(
        () => this.resume(),
        () => undefined, // `end` follows every failed attempt and schedules the next
      );
    }, RECONNECT_MS);
  }

  private resume(): void {
    this.subscribers.tellAllToReread();
    this.send();
  }
}
