import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The response; undefined: no response. */
export type WebhookResponse =
  { readonly status: number; readonly body?: string; readonly location?: string } | undefined;

/** A webhook endpoint on loopback that stores all requests. */
export class Receiver {
  readonly received: Received[] = [];
  private readonly waiting = new Set<() => void>();
  private readonly server = createServer((request, response) => void this.take(request, response));

  /** @param respond returns the response to request number n, from 1 */
  private constructor(private readonly respond: (number: number) => WebhookResponse) {}

  static async open(respond: (number: number) => WebhookResponse = () => ({ status: 204 })): Promise<Receiver> {
    const receiver = new Receiver(respond);
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Waits for request number n, from 1. */
  async request(number: number): Promise<Received> {
    for (;;) {
      const received = this.received[number - 1];
      if (received) return received;
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.received.push({ path: request.url ?? '', headers: request.headers, body });
    for (const wake of this.waiting) wake();
    const reaction = this.respond(this.received.length);
    if (!reaction) return;
    const { status, body: answer = '', location } = reaction;
    response.writeHead(status, location === undefined ? {} : { location }).end(answer);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** The receivers of a test, which are closed together. */
export class Receivers {
  private readonly all: Receiver[] = [];

  async open(respond?: (number: number) => WebhookResponse): Promise<Receiver> {
    const receiver = await Receiver.open(respond);
    this.all.push(receiver);
    return receiver;
  }

  close(): void {
    for (const receiver of this.all.splice(0)) receiver.close();
  }
}
