import { on, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { freePort } from '../arrangements.js';

/** The response of a source; undefined: no response. */
export type PriceAnswer = string | undefined;

/** An HTTP server with price sources at `/0`, `/1`, …, each with a configurable response. */
export class PriceSources {
  answers: PriceAnswer[] = [];

  private constructor(
    private readonly server: Server,
    readonly urls: readonly string[],
    readonly stop: () => Promise<void>,
  ) {}

  static async start(count: number): Promise<PriceSources> {
    const port = await freePort();
    const server = createServer((request, response) => {
      const answer = sources.answers[Number(request.url?.slice(1))];
      if (answer !== undefined) response.end(answer);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const urls = Array.from({ length: count }, (_, number) => `http://127.0.0.1:${port}/${number}`);
    const sources = new PriceSources(server, urls, async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    });
    return sources;
  }

  /** Resolves when each source has received another request. */
  async allAsked(): Promise<void> {
    let asked = 0;
    for await (const _ of on(this.server, 'request')) if (++asked === this.urls.length) return;
  }
}
