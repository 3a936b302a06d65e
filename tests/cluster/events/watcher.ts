import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { pause } from '../client.js';

/** What is watched. */
export interface Watched<Data> {
  /** The subscription to begin with now. */
  readonly query: () => string;
  /** A subscription ended: the next begins. */
  readonly lost: () => void;
  /** @throws to subscribe again */
  readonly hear: (data: Data) => void;
}

/** Watches as the dashboard does: subscribes again whenever the subscription ends. */
export class Watcher<Data extends Record<string, unknown>> {
  events = 0;
  connections = 0;
  private readonly client: Client;
  private isOver = false;
  private running: Promise<void> = Promise.resolve();

  constructor(
    url: string,
    token: string,
    private readonly watched: Watched<Data>,
  ) {
    this.client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Token ${token}` },
      keepAlive: 2_000,
      retryAttempts: 0,
      lazy: true,
      on: { connected: () => void this.connections++ },
    });
  }

  start(): void {
    this.running = this.watch();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.client.dispose();
    await this.running;
  }

  private async watch(): Promise<void> {
    while (!this.isOver) {
      await this.follow().catch(() => undefined);
      this.watched.lost();
      await pause(250);
    }
  }

  private async follow(): Promise<void> {
    for await (const { data } of this.client.iterate<Data>({ query: this.watched.query() })) {
      if (!data) return;
      this.watched.hear(data);
      this.events++;
    }
  }
}
