import { WebSocket } from 'ws';
import { platform, type Json } from './platform.js';

/** A graphql-transport-ws client that stores all messages. */
export class TestSocket {
  readonly messages: Json[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()));
      this.wake();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.wake();
    });
  }

  /** Opens a socket and signs in. Resolves when the server has acknowledged or closed it. */
  static async open(
    token: string | undefined,
    url = platform().url,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestSocket> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers });
    const client = new TestSocket(socket);
    socket.on('open', () =>
      client.send({ type: 'connection_init', payload: token === undefined ? {} : { Authorization: `Token ${token}` } }),
    );
    await client.until(() => client.messages.length > 0 || client.closed !== undefined);
    return client;
  }

  /** Sends a message; a string is sent unchanged. */
  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(id: string, query: string, extensions?: Json): void {
    this.send({ id, type: 'subscribe', payload: { query, ...(extensions && { extensions }) } });
  }

  /** Returns the payloads of the operation so far. */
  results(id: string): Json[] {
    return this.messages
      .filter((message) => message.id === id && message.type === 'next')
      .map(({ payload }) => payload);
  }

  /** Waits for result number n of the operation, from 1. */
  async result(id: string, number: number): Promise<Json> {
    await this.until(() => this.results(id).length >= number || this.closed !== undefined);
    return this.results(id)[number - 1];
  }

  /** Waits until the server has closed the socket. */
  async closing(): Promise<{ readonly code: number; readonly reason: string }> {
    await this.until(() => this.closed !== undefined);
    return this.closed ?? { code: 0, reason: '' };
  }

  /** Waits for the errors that ended the operation. */
  async failure(id: string): Promise<Json> {
    const failed = () => this.messages.find((message) => message.id === id && message.type === 'error');
    await this.until(() => failed() !== undefined || this.closed !== undefined);
    return failed()?.payload;
  }

  /** Waits until the operation is complete. */
  async completion(id: string): Promise<void> {
    const completed = () => this.messages.some((message) => message.id === id && message.type === 'complete');
    await this.until(() => completed() || this.closed !== undefined);
  }

  /** Stops reading from the network. */
  stopReading(): void {
    this.socket.on('error', () => undefined);
    this.socket.pause();
  }

  /** Reads from the network again. */
  readAgain(): void {
    this.socket.resume();
  }

  /** Destroys the connection without a close frame. */
  drop(): void {
    this.socket.terminate();
  }

  /** @param code @param reason of the close frame */
  close(code?: number, reason?: string): void {
    this.socket.close(code, reason);
  }

  /** Waits until the condition is true. The timeout of jest ends an endless wait. */
  private async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  private wake(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
  }
}
