import type { IncomingMessage, ServerResponse } from 'node:http';
import { ANSWER_HEADER, BYTES, OPERATION_WITH_BYTES, readPreamble, writeAnswerHeader } from './byte-wire.js';
import { ByteSource } from './bytes.js';
import { isOneOf } from './credentials.js';
import { errorCode } from './errors.js';
import type { RemoteSubgraph } from './remote-source.js';
import type { ByteRequest, Caller, SubgraphRequest, SubgraphSource } from './source.js';
import { ANONYMOUS, type Viewer } from './viewer.js';

const SECRET_HEADER = 'x-subgraph-secret';
const VIEWER_HEADER = 'x-viewer';
const REQUEST_ID_HEADER = 'x-request-id';
const CLIENT_ADDRESS_HEADER = 'x-client-address';
const BILLING_HEADER = 'x-billing-bypassed';
const TRACE_HEADER = 'traceparent';

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
      ...(request?.isBillingBypassed && { [BILLING_HEADER]: 'yes' }),
      ...traceHeader(request),
    }),
  };
}

/** The header that names the span below which a subgraph works, also for one that is not ours. */
export function traceHeader(request: Caller | undefined): Readonly<Record<string, string>> {
  return request?.traceparent === undefined ? {} : { [TRACE_HEADER]: request.traceparent };
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
    const caller = readCaller(request);
    const isWithBytes = request.headers['content-type'] === OPERATION_WITH_BYTES;
    const body = caller && (isWithBytes ? await readWithBytes(request, response) : await readJson(request));
    if (!body) return refuse(request, response);
    return this.serve({ ...body, ...caller }, request, response);
  }

  private async serve(
    { query, variables = {}, open, parameters = {}, ...caller }: DoorBody & Caller,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (typeof open === 'string') return this.open({ ...caller, name: open, parameters }, response);
    if (typeof query !== 'string') return refuse(request, response);
    const operation = { ...caller, query, variables };
    if (request.headers.accept === 'text/event-stream') return this.stream(operation, response);
    const result = await this.source.execute(operation);
    // What was not read of the bytes is not wanted any more.
    if (!request.complete) response.setHeader('connection', 'close');
    answer(response, 200, result);
  }

  /** Ends all streams; the gateway subscribes again. */
  close(): void {
    for (const stream of this.streams) stream.abort();
  }

  private async check(response: ServerResponse): Promise<void> {
    const failing = await this.source.check().catch(() => [this.source.dependency]);
    const isReady = failing.length === 0;
    answer(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'unavailable', failing });
  }

  private async open(request: Omit<ByteRequest, 'signal'>, response: ServerResponse): Promise<void> {
    const stop = new AbortController();
    response.once('close', () => stop.abort());
    try {
      const opened = await this.source.open({ ...request, signal: stop.signal });
      const { stream, length } = opened;
      response.writeHead(200, {
        'content-type': BYTES,
        'content-length': length,
        [ANSWER_HEADER]: writeAnswerHeader(opened),
      });
      stream.on('error', () => response.destroy());
      response.once('close', () => stream.destroy());
      stream.pipe(response);
    } catch (error) {
      if (!errorCode(error)) throw error;
      answer(response, 200, { errors: [error] });
    }
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

function readCaller(request: IncomingMessage): Caller | undefined {
  try {
    const viewer = JSON.parse(Buffer.from(header(request, VIEWER_HEADER), 'base64url').toString()) as Viewer;
    const requestId = header(request, REQUEST_ID_HEADER);
    const isBillingBypassed = header(request, BILLING_HEADER) === 'yes';
    const traceparent = header(request, TRACE_HEADER) || undefined;
    return { viewer, requestId, clientAddress: header(request, CLIENT_ADDRESS_HEADER), isBillingBypassed, traceparent };
  } catch {
    return undefined;
  }
}

/** An operation, or the name and parameters of bytes that are wanted. */
interface DoorBody {
  readonly query?: unknown;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly open?: unknown;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

async function readJson(request: IncomingMessage): Promise<DoorBody | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_REQUEST_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    const { query, variables, open, parameters } = JSON.parse(Buffer.concat(chunks).toString()) as DoorBody;
    return { query, open, ...(variables && { variables }), ...(parameters && { parameters }) };
  } catch {
    return undefined;
  }
}

/** The bytes stay unread; the gateway is told to send them when they are wanted. */
async function readWithBytes(request: IncomingMessage, response: ServerResponse): Promise<DoorBody | undefined> {
  const preamble = await readPreamble(request);
  if (!preamble) return undefined;
  const { query, variables, bytes, length } = preamble;
  const source = new ByteSource(request, length, () => response.writeContinue());
  return { query, variables: { ...variables, [bytes]: source } };
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (!request.complete) response.setHeader('connection', 'close');
  answer(response, 400, {
    errors: [{ message: 'This is no GraphQL request.', extensions: { code: 'BAD_REQUEST' } }],
  });
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
