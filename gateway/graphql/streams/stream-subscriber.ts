import { PassThrough } from 'node:stream';
import type { ExecutionResult, FormattedExecutionResult } from 'graphql';
import type { Subscriber, Subscription } from '../fan-out/broadcast.js';
import { SerializedResult } from '../serialized-result.js';
import type { StreamFormat } from './stream-formats.js';

/** Milliseconds between two heartbeats. */
const HEARTBEAT_MS = 12_000;

interface StreamOptions {
  readonly format: StreamFormat;
  /** Returns what the client sees of a result with errors. */
  readonly publicResult: (result: ExecutionResult) => FormattedExecutionResult;
  /** Returns the result for a failure of the gateway itself. */
  readonly failure: (error: unknown) => FormattedExecutionResult;
  /** Called once, at the end. */
  readonly onEnd: () => void;
  /** Default: 12 s. */
  readonly heartbeatMs?: number;
}

/** A subscription whose results are one HTTP answer. */
export class StreamSubscriber implements Subscriber {
  readonly body = new PassThrough();
  source: Subscriber['source'];
  isEnded = false;
  private readonly heartbeat: NodeJS.Timeout;

  constructor(
    readonly operation: Subscription,
    private readonly options: StreamOptions,
  ) {
    const { format, heartbeatMs = HEARTBEAT_MS } = options;
    this.body.write(format.beginning);
    this.heartbeat = setInterval(() => {
      if (!this.isFull) this.body.write(format.heartbeat);
    }, heartbeatMs);
    this.body.once('close', () => this.close());
  }

  get isFull(): boolean {
    return this.body.writableNeedDrain;
  }

  drained(): Promise<void> {
    if (!this.isFull || this.isEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        this.body.off('drain', end).off('close', end);
        resolve();
      };
      this.body.once('drain', end).once('close', end);
    });
  }

  send(result: SerializedResult): void {
    const { name, next } = this.options.format;
    if (!this.isEnded) this.body.write(result.frame(name, next));
  }

  sendErrors(result: ExecutionResult): void {
    this.send(new SerializedResult(this.options.publicResult(result)));
  }

  finish(error?: unknown): void {
    if (error !== undefined) this.send(new SerializedResult(this.options.failure(error)));
    if (!this.isEnded) this.body.write(this.options.format.ending);
    this.close();
  }

  /** Ends the answer without a mark of completion: the client has left, or should subscribe again. */
  close(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    clearInterval(this.heartbeat);
    this.source?.remove(this);
    this.body.end();
    this.options.onEnd();
  }
}
