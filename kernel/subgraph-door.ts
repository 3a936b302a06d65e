import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOneOf } from './credentials.js';
import type { RemoteSubgraph } from './remote-source.js';
import type { SubgraphRequest, SubgraphSource } from './source.js';
import { ANONYMOUS, type Viewer } from './viewer.js';

const SECRET_HEADER = 'x-subgraph-secret';
const VIEWER_HEADER = 'x-viewer';
const REQUEST_ID_HEADER = 'x-request-id';
const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** Bytes of a request from the gateway; its own limits are far below. */
const MOST_REQUEST_BYTES = 16 * 1024 * 1024;

/** Milliseconds between the comments that keep an idle stream alive. */
const KEEP_ALIVE_MS = 12_000;

/** How the gateway and other subgraphs reach one of ours behind its door. */
export function behindDoor(name: string, url: string, secret: string): RemoteSubgraph {
  return {
    name,
    url,
    headers: (request) => ({
      [SECRET_HEADER]: secret,
      [VIEWER_HEADER]: Buffer.from(JSON.stringify(request?.viewer ?? ANONYMOUS)).toString('base64url'),
      [REQUEST_ID_HEADER]: request?.requestId ?? '',
      [CLIENT_ADDRESS_HEADER]: request?.clientAddress ?? '',
    }),
  };
}

/** Answers GraphQL over HTTP for a subgraph: believes whoever knows the secret, refuses all others. GET says whether it can serve. */
export class SubgraphDoor {
  private readonly streams = new Set<AbortController>();

  constructor(
    private readonly source: SubgraphSource,
    private readonly secrets: readonly string[],
  ) {}

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const secret = request.headers[SECRET_HEADER];
    if (typeof secret !== 'string' || !isOneOf(secret, this.secrets)) {
      return answer(response, 401, {
        errors: [{ message: 'This door is for the gateway.', extensions: { code: 'UNAUTHENTICATED' } }],
      });
    }
    if (request.method === 'GET') return this.check(response);
    const body = await readRequest(request);
    if (!body)
      return answer(response, 400, {
        errors: [{ message: 'This is no GraphQL request.', extensions: { code: 'BAD_REQUEST' } }],
      });
    if (request.headers.accept === 'text/event-stream') return this.stream(body, response);
    answer(response, 200, await this.source.execute(body));
  }

  /** Ends all streams; the gateway subscribes again. */
  close(): void {
    for (const stream of this.streams) stream.abort();
  }

  private async check(response: ServerResponse): Promise<void> {
    const ready = await this.source.check().then(
      () => true,
      () => false,
    );
    answer(response, ready ? 200 : 503, { status: ready ? 'ready' : 'unavailable' });
  }

  private async stream(body: SubgraphRequest, response: ServerResponse): Promise<void> {
    const stop = new AbortController();
    this.streams.add(stop);
    response.once('close', () => stop.abort());
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(':\n\n');
    const keepAlive = setInterval(() => response.write(':\n\n'), KEEP_ALIVE_MS);
    try {
      for await (const result of await this.source.subscribe(body, stop.signal)) {
        await write(response, `event: next\ndata: ${JSON.stringify(result)}\n\n`, stop.signal);
      }
      // A stream that the server's own stop cut off is no completed one: its reader must subscribe again.
      if (!stop.signal.aborted) response.write('event: complete\ndata:\n\n');
    } finally {
      clearInterval(keepAlive);
      this.streams.delete(stop);
      response.end();
    }
  }
}

/** Waits for a slow reader instead of holding what it has not read. */
async function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || response.write(text)) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go);
      signal.removeEventListener('abort', go);
      resolve();
    };
    response.once('drain', go);
    signal.addEventListener('abort', go, { once: true });
  });
}

async function readRequest(request: IncomingMessage): Promise<SubgraphRequest | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_REQUEST_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const viewer = JSON.parse(Buffer.from(header(request, VIEWER_HEADER), 'base64url').toString()) as Viewer;
    if (typeof body.query !== 'string') return undefined;
    const variables = (body.variables ?? {}) as Record<string, unknown>;
    const requestId = header(request, REQUEST_ID_HEADER);
    return { query: body.query, variables, viewer, requestId, clientAddress: header(request, CLIENT_ADDRESS_HEADER) };
  } catch {
    return undefined;
  }
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
