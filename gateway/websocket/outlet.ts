import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { rateLimited } from '../../kernel/errors.js';
import type { SerializedResult } from '../graphql/serialized-result.js';
import { nextFrame } from './next-frame.js';

/** Sends whole frames on a websocket. They may stand between the messages of ws, which writes each of its frames at once. */
export class Outlet {
  private draining: Promise<void> | undefined;

  /** @param stream the connection below the socket */
  constructor(
    private readonly socket: WebSocket,
    private readonly stream: Duplex,
  ) {}

  /** Whether more bytes should wait, because the client has many unread. */
  get isFull(): boolean {
    return this.stream.writableNeedDrain;
  }

  /** Sends the message `next` of an operation. Does nothing after the end of the connection. */
  sendNext(id: string, { json }: SerializedResult): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.stream.cork();
    for (const chunk of nextFrame(id, json)) this.stream.write(chunk);
    this.stream.uncork();
  }

  /**
   * Runs the work when the client has read its answers. @param take waits for its turn; when the client has new answers to
   * read by then, the turn is given back @throws RATE_LIMITED when the socket is closing, such as after its token was revoked
   */
  async whenRead<Result extends object>(
    take: (work: () => Promise<Result | undefined>) => Promise<Result | undefined>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      await this.drained();
      const result = await take(async () => {
        if (this.socket.readyState !== this.socket.OPEN) throw rateLimited('This socket is closing.');
        return this.isFull ? undefined : work();
      });
      if (result) return result;
    }
  }

  /** Resolves when more can be sent, and also when the client has disconnected. */
  drained(): Promise<void> {
    if (!this.isFull) return Promise.resolve();
    this.draining ??= new Promise<void>((resolve) => {
      const end = () => {
        this.draining = undefined;
        this.stream.off('drain', end);
        this.socket.off('close', end);
        resolve();
      };
      this.stream.once('drain', end);
      this.socket.once('close', end);
    });
    return this.draining;
  }
}
