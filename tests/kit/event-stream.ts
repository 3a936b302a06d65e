import { until } from './watch.js';

/** A client that reads an answer while it arrives. */
export class TestStream {
  text = '';
  isEnded = false;
  private readonly stop = new AbortController();

  private constructor(
    readonly status: number,
    readonly headers: Headers,
  ) {}

  /** Sends an operation. Resolves when the answer begins. */
  static async open(
    url: string,
    accept: string,
    { query, token }: { readonly query: string; readonly token?: string },
  ): Promise<TestStream> {
    const stop = new AbortController();
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json', ...(token && { authorization: `Token ${token}` }) },
      body: JSON.stringify({ query }),
      signal: stop.signal,
    });
    const stream = new TestStream(response.status, response.headers);
    stop.signal.addEventListener('abort', () => (stream.isEnded = true));
    stream.stop.signal.addEventListener('abort', () => stop.abort());
    void stream.read(response);
    return stream;
  }

  /** Waits for a text in the answer. */
  async has(text: string, times = 1): Promise<void> {
    await until(async () => this.text.split(text).length > times);
  }

  /** Waits until the server has ended the answer. */
  async end(): Promise<void> {
    await until(async () => this.isEnded);
  }

  /** Leaves. */
  close(): void {
    this.stop.abort();
  }

  private async read({ body }: Response): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of body ?? []) this.text += decoder.decode(chunk, { stream: true });
    } catch {
      // Aborted, or cut.
    }
    this.isEnded = true;
  }
}
