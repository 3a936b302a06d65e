import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { BODY_TIMES, linger, type BodyTimes } from '../../http/body-times.js';
import { ANSWER_HEADER, BYTES, writeAnswerHeader } from '../../http/byte-protocol.js';
import { matchesSecret, tokenOf } from '../../security/credentials.js';
import {
  badRequest,
  errorCode,
  methodNotAllowed,
  requestTimeout,
  STATUS_BY_CODE,
  unauthenticated,
} from '../../errors.js';
import type { Logger } from '../../telemetry/log.js';
import { writeMetrics } from '../../telemetry/metrics-answer.js';
import { HEARTBEAT_MS } from '../remote/server-sent-events.js';
import { readCaller } from './caller-headers.js';
import { SecretCheck } from './secret-check.js';
import { readBody, type EndpointBody } from './subgraph-body.js';
import {
  hasResult,
  type ByteRequest,
  type RequestOrigin,
  type SubgraphRequest,
  type SubgraphClient,
} from '../subgraph-client.js';

interface EndpointOptions {
  readonly times?: BodyTimes;
  /** Tokens for /metrics alone. */
  readonly metricsTokens?: readonly string[];
  readonly log?: Pick<Logger, 'warn'>;
}

/** Serves a subgraph as GraphQL over HTTP to callers with the subgraph secret. GET is the readiness check, and /metrics of a process of its own. */
export class SubgraphEndpoint {
  private readonly streams = new Set<AbortController>();
  private isClosed = false;
  private readonly secret: SecretCheck;
  private readonly times: BodyTimes;
  private readonly metricsTokens: readonly string[];

  constructor(
    private readonly subgraph: SubgraphClient,
    secrets: readonly string[],
    { times = BODY_TIMES, metricsTokens = [], log }: EndpointOptions = {},
  ) {
    this.secret = new SecretCheck(secrets, log);
    this.times = times;
    this.metricsTokens = metricsTokens;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refused = (error: GraphQLError) => refuse(request, response, error);
    if (this.mayOnlyReadMetrics(request)) return sendMetrics(request, response);
    if (!this.secret.passes(request)) return refuseCaller(request, response);
    const isCheck = (request.method === 'GET' || request.method === 'HEAD') && !hasQuery(request);
    if (isCheck) return this.check(request, response);
    if (request.method !== 'POST') {
      response.setHeader('allow', 'POST');
      return refused(methodNotAllowed('Send operations by POST.'));
    }
    const caller = readCaller(request);
    const late = (message: string) => refused(requestTimeout(message));
    const body = caller && (await readBody(request, response, { times: this.times, late }));
    if (!body) return refused(badRequest('This is no GraphQL request.'));
    return this.serve({ ...body, ...caller }, request, response);
  }

  private mayOnlyReadMetrics({ url, method, headers }: IncomingMessage): boolean {
    const token = tokenOf(headers.authorization);
    return url === '/metrics' && method === 'GET' && token !== undefined && matchesSecret(token, this.metricsTokens);
  }

  private async serve(
    { query, variables = {}, open, parameters = {}, resumeFrom, ...caller }: EndpointBody & RequestOrigin,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (response.headersSent) return;
    if (typeof open === 'string') return this.open({ ...caller, name: open, parameters }, response);
    if (typeof query !== 'string') return refuse(request, response, badRequest('This is no GraphQL request.'));
    const operation = { ...caller, query, variables, resumeFrom };
    if (/\btext\/event-stream\b/.test(request.headers.accept ?? '')) return this.stream(operation, response);
    const result = await this.subgraph.execute(operation);
    if (response.headersSent) return;
    // The rest of the bytes is not needed.
    closeUnreadConnection(request, response);
    // Without `data` the operation was not executed.
    answer(response, result.data === undefined ? 400 : 200, result);
  }

  /** Cuts all streams, also those that begin later. Clients of the gateway get UNAVAILABLE, and subscribe again themselves. */
  close(): void {
    this.isClosed = true;
    for (const stream of this.streams) stream.abort();
  }

  private async check(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/metrics') return sendMetrics(request, response);
    const failing = await this.subgraph.check().catch(() => [this.subgraph.dependency]);
    const isReady = failing.length === 0;
    answer(response, isReady ? 200 : 503, isReady ? { status: 'ready' } : { status: 'unavailable', failing });
  }

  private async open(request: Omit<ByteRequest, 'signal'>, response: ServerResponse): Promise<void> {
    const stop = new AbortController();
    response.once('close', () => stop.abort());
    try {
      const opened = await this.subgraph.open({ ...request, signal: stop.signal });
      const { stream, length } = opened;
      if (response.destroyed) return void stream.destroy();
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
    if (this.isClosed) return void response.destroy();
    const stop = new AbortController();
    this.streams.add(stop);
    response.once('close', () => stop.abort());
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(':\n\n');
    const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS);
    try {
      for await (const { state, ...result } of await this.subgraph.subscribe(body, stop.signal)) {
        // Other readers of server-sent events ignore the field `state`.
        const stateLine = state === undefined ? '' : `state: ${state}\n`;
        const data = hasResult(result) ? `event: next\ndata: ${JSON.stringify(result)}\n` : '';
        await write(response, `${stateLine}${data}\n`, stop.signal);
      }
      // After an abort by this server the stream is cut, not complete.
      if (!stop.signal.aborted) response.write('event: complete\ndata:\n\n');
    } finally {
      clearInterval(heartbeat);
      this.streams.delete(stop);
      response.end();
    }
  }
}

/** Waits for a slow reader instead of buffering. */
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

function hasQuery({ url = '' }: IncomingMessage): boolean {
  return new URLSearchParams(url.split('?')[1]).has('query');
}

/** Sends an error unless a response was sent; does not wait for the rest of the body. */
function refuse(request: IncomingMessage, response: ServerResponse, error: GraphQLError): void {
  if (response.headersSent) return;
  closeUnreadConnection(request, response);
  answer(response, STATUS_BY_CODE[errorCode(error) ?? 'INTERNAL'], { errors: [error] });
}

/** Refuses a caller without the secret. The answer is no GraphQL result: a gateway with a wrong secret must not show it to users. */
function refuseCaller(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
  closeUnreadConnection(request, response);
  const error = unauthenticated('This endpoint is internal and needs the subgraph secret.');
  answer(response, STATUS_BY_CODE.UNAUTHENTICATED, { error });
}

/** Closes the connection after the response if the body was not read completely. */
function closeUnreadConnection(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  response.setHeader('connection', 'close');
  linger(request);
}

async function sendMetrics({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const { type, text } = await writeMetrics(headers.accept);
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}
