import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { unavailable } from './errors.js';
import type { SubgraphRequest, SubgraphResult, SubgraphSource } from './source.js';

/** Milliseconds a subgraph may take over one fetch; longer than any statement may run. */
const FETCH_LIMIT_MS = 25_000;

/** Sockets kept open to one subgraph. */
const MOST_SOCKETS = 64;

/** Bytes of an answer that are still taken for an honest one. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

export interface RemoteSubgraph {
  readonly name: string;
  readonly url: string;
  /** Headers that tell this subgraph who asks. */
  readonly headers: (request: SubgraphRequest | undefined) => Readonly<Record<string, string>>;
}

/** A subgraph behind GraphQL over HTTP with keep-alive; subscriptions are server-sent events, as graphql-sse has them. */
export class RemoteSource implements SubgraphSource {
  readonly dependency: string;
  private readonly agent: HttpAgent | HttpsAgent;
  private readonly secure: boolean;

  constructor(private readonly subgraph: RemoteSubgraph) {
    this.dependency = subgraph.name;
    this.secure = subgraph.url.startsWith('https:');
    const options = { keepAlive: true, maxSockets: MOST_SOCKETS };
    this.agent = this.secure ? new HttpsAgent(options) : new HttpAgent(options);
  }

  async execute(request: SubgraphRequest): Promise<SubgraphResult> {
    const response = await this.send(request, AbortSignal.timeout(FETCH_LIMIT_MS), 'application/json');
    const result = parseResult(await this.textOf(response));
    if (!result) throw this.silent();
    return result;
  }

  async subscribe(request: SubgraphRequest, signal: AbortSignal): Promise<AsyncIterable<SubgraphResult>> {
    const response = await this.send(request, signal, 'text/event-stream');
    if (response.statusCode === 200) return this.events(response, signal);
    response.resume();
    throw this.silent();
  }

  async check(): Promise<void> {
    const response = await this.send(undefined, AbortSignal.timeout(5_000), 'application/json');
    response.resume();
    if (response.statusCode !== 200) throw this.silent();
  }

  async close(): Promise<void> {
    this.agent.destroy();
  }

  private async send(body: SubgraphRequest | undefined, signal: AbortSignal, accept: string): Promise<IncomingMessage> {
    const text = body && JSON.stringify({ query: body.query, variables: body.variables });
    const request = (this.secure ? httpsRequest : httpRequest)(this.subgraph.url, {
      method: text === undefined ? 'GET' : 'POST',
      // A stream occupies its connection for as long as it lives: not one of the fetches'.
      agent: accept === 'text/event-stream' ? false : this.agent,
      signal,
      headers: {
        accept,
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...this.subgraph.headers(body),
      },
    });
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    request.end(text);
    try {
      const [response] = await answered;
      request.on('error', () => undefined); // whoever reads the body hears of it there
      return response;
    } catch {
      throw this.silent();
    }
  }

  private async textOf(response: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > MOST_ANSWER_BYTES) throw new Error('the answer is too large');
        chunks.push(chunk);
      }
    } catch {
      throw this.silent();
    }
    return Buffer.concat(chunks).toString();
  }

  private async *events(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<SubgraphResult> {
    let rest = '';
    response.setEncoding('utf8');
    try {
      for await (const chunk of response as AsyncIterable<string>) {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        yield* blocks.flatMap(resultOf);
        if (blocks.some(isCompletion)) return;
      }
    } catch {
      // Broken off: by us, which ends quietly, or by the other side, which is said below.
    } finally {
      response.destroy();
    }
    if (!signal.aborted) throw this.silent();
  }

  private silent(): Error {
    return unavailable(`The ${this.subgraph.name} part of the platform does not answer just now.`);
  }
}

function isCompletion(block: string): boolean {
  return block.startsWith('event: complete');
}

function resultOf(block: string): SubgraphResult[] {
  const result = parseResult(/^data: (.+)$/m.exec(block)?.[1] ?? '');
  return result ? [result] : [];
}

/** A GraphQL result; undefined for anything else that may have come instead. */
function parseResult(text: string): SubgraphResult | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    return 'data' in value || 'errors' in value ? (value as SubgraphResult) : undefined;
  } catch {
    return undefined;
  }
}
