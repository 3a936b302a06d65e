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
    timeout: 5_000,
  });
  return new SubjectEvents(connection, `archipelago.${subgraph}`, { log, lag: new EventLag(subgraph) });
}

class SubjectEvents implements Events {
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
        if (error) return;
        this.lag.returned(message.string());
        this.subscribers.deliver(message.json<PlatformEvent>());
      },
    });
    this.timer = setInterval(() => this.subscribers.rereadAll(), REREAD_INTERVAL_MS).unref();
    void this.watch();
  }

  publish(event: PlatformEvent): void {
    try {
      const payload = JSON.stringify(event);
      this.lag.published(payload);
      this.connection.publish(this.subject, payload);
    } catch (error) {
      // The change is committed; subscribers find it when they read again.
      this.log.warn({ err: error }, 'an event was not published');
    }
  }

  subscribe(topics: readonly string[], signal: AbortSignal): AsyncIterableIterator<PlatformEvent> {
    return this.subscribers.add(topics, signal);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.subscribers.end();
    await this.connection.drain();
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
