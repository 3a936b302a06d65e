import type { Dispatcher, Pool } from 'undici';

/** Maximum sockets to one subgraph. */
const MAX_SOCKETS = 64;

/** A request with a body of JSON. */
export interface Post {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts the fetch. */
  readonly signal: AbortSignal | undefined;
  /** Time for the whole answer. */
  readonly timeoutMs: number;
}

/** Kept-alive connections to one address, for short answers. `node:http` needs two to three times as much CPU time (`0002`). */
export class FetchPool {
  private pool: Promise<Pool> | undefined;
  private readonly origin: string;
  private readonly path: string;

  constructor(
    url: string,
    private readonly maxResponseBytes: number,
  ) {
    const { origin, pathname, search } = new URL(url);
    this.origin = origin;
    this.path = pathname + search;
  }

  /** Sends a POST. Returns the text of the answer of any status. @throws when there is no whole answer */
  async post({ text, headers, signal, timeoutMs }: Post): Promise<string> {
    const pool = await (this.pool ??= this.open());
    return new Promise((resolve, reject) => {
      const answer = new Answer(signal, timeoutMs, { resolve, reject });
      if (!answer.isDone) pool.dispatch({ path: this.path, method: 'POST', headers, body: text }, answer);
    });
  }

  /** Ends all fetches. */
  async close(): Promise<void> {
    await (await this.pool)?.destroy();
  }

  /** The package is loaded at the first fetch: a platform in one process needs none. */
  private async open(): Promise<Pool> {
    const undici = await import('undici');
    // `Answer` limits the time.
    const times = { headersTimeout: 0, bodyTimeout: 0 };
    return new undici.Pool(this.origin, { connections: MAX_SOCKETS, maxResponseSize: this.maxResponseBytes, ...times });
  }
}

interface Settle {
  readonly resolve: (text: string) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects one answer. */
class Answer implements Dispatcher.DispatchHandler {
  isDone = false;
  private controller: Dispatcher.DispatchController | undefined;
  private readonly chunks: Buffer[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly signal: AbortSignal | undefined,
    timeoutMs: number,
    private readonly settle: Settle,
  ) {
    this.timer = setTimeout(this.abort, timeoutMs);
    signal?.addEventListener('abort', this.abort);
    if (signal?.aborted) this.abort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Aborted while it waited for a connection.
    if (this.isDone) controller.abort(new Error('aborted'));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.finish();
    this.settle.resolve(Buffer.concat(this.chunks).toString());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.finish();
    this.settle.reject(error);
  }

  private readonly abort = (): void => {
    const error = new Error('aborted');
    this.finish();
    this.settle.reject(error);
    this.controller?.abort(error);
  };

  private finish(): void {
    this.isDone = true;
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.abort);
  }
}
