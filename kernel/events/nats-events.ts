import { randomUUID } from 'node:crypto';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { EventLag } from './event-lag.js';
import type { Events, PlatformEvent } from './events.js';
import { Subscribers } from './sources/subscribers.js';
import type { Logger } from '../telemetry/log.js';

/** Subscribers read again at this interval, because a process may die between its commit and its event. */
const REREAD_INTERVAL_MS = 30_000;

/**
 * Connects to NATS for the events of a subgraph, for processes that do not share a PostgreSQL.
 * @throws when no server answers
 */
export async function openNatsEvents(url: string, subgraph: string, log: Logger): Promise<Events> {
  const connection = await connect({
    servers: url,
    name: `archipelago-${subgraph}`,
    maxReconnectAttempts: -1,
    // A server that restarts may refuse a valid token twice, e.g. until it has its configuration.
    ignoreAuthErrorAbort: true,
    timeout: 5_000,
  });
  return new SubjectEvents(connection, `archipelago.${subgraph}`, { log, lag: new EventLag(subgraph) });
}

/** An event as it is sent. */
interface SentEvent extends PlatformEvent {
  /** The process that published it; undefined: one of an earlier version. */
  readonly from?: string;
}

class SubjectEvents implements Events {
  private readonly processId = randomUUID();
  private readonly log: Logger;
  private readonly lag: EventLag;
  private readonly subscribers = new Subscribers();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly connection: NatsConnection,
    private readonly subject: string,
    { log, lag }: { readonly log: Logger; readonly lag: EventLag },
  ) {
    this.log = log;
    this.lag = lag;
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) this.receive(message.string());
      },
    });
    this.timer = setInterval(() => this.subscribers.rereadAll(), REREAD_INTERVAL_MS).unref();
    void this.watch();
  }

  publish(event: PlatformEvent): void {
    this.subscribers.deliver(event);
    try {
      const payload = JSON.stringify({ ...event, from: this.processId } satisfies SentEvent);
      this.lag.published(payload);
      this.connection.publish(this.subject, payload);
    } catch (error) {
      // The change is committed; subscribers find it when they read again.
      this.log.warn({ err: error }, 'an event was not published');
    }
  }

  /** Delivers an event of another process; those of this one were delivered when they were published. */
  private receive(payload: string): void {
    try {
      const { topic, id, from } = JSON.parse(payload) as SentEvent;
      if (from === this.processId) this.lag.returned(payload);
      else this.subscribers.deliver({ topic, ...(id !== undefined && { id }) });
    } catch (error) {
      // An exception here would end the reception of all messages.
      this.log.warn({ err: error }, 'a message on the subject of the events is not an event');
    }
  }

  subscribe(topics: readonly string[], signal: AbortSignal): AsyncIterableIterator<PlatformEvent> {
    return this.subscribers.add(topics, signal);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.subscribers.end();
    // Without a connection nothing can be drained.
    await this.connection.drain().catch(() => this.connection.close());
  }

  private async watch(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect') this.log.warn('the connection to NATS broke');
      if (type !== 'reconnect') continue;
      this.lag.reset();
      this.subscribers.rereadAll();
    }
  }
}
