import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { sendBytes } from '../../http/byte-sending.js';
import { responseOf } from '../../http/response-of.js';
import { BYTES, bytesOf, OPERATION_WITH_BYTES, readAnswer, writePreamble } from '../../http/byte-protocol.js';
import type { ByteAnswer, ByteSource } from '../../http/bytes.js';
import { errorCode, readRefusal, unavailable } from '../../errors.js';
import { FetchPool } from './fetch-pool.js';
import { readText } from './read-text.js';
import { parseResult } from './results.js';
import { serverSentEvents } from './server-sent-events.js';
import { SharedFetches } from './shared-fetches.js';
import { untilSilent } from './until-silent.js';
import type {
  ByteRequest,
  RequestOrigin,
  SubgraphClient,
  SubgraphEvent,
  SubgraphRequest,
  SubgraphResult,
} from '../subgraph-client.js';

/** Timeout of one fetch in milliseconds; longer than any statement timeout. */
const FETCH_TIMEOUT_MS = 25_000;

/** Maximum size of a response in bytes. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Number of intervals without a heartbeat after which a stream of events ends. */
const MISSED_HEARTBEATS = 3;

/** Milliseconds of silence before TCP checks that the other host still has the connection. */
const TCP_KEEP_ALIVE_MS = 30_000;

const JSON_TYPE = 'application/json';

interface SendOptions {
  /** Sent as JSON. */
  readonly body?: object;
  readonly signal: AbortSignal;
  readonly accept: string;
}

export interface RemoteEndpoint {
  readonly name: string;
  readonly url: string;
  /** Headers with the secret and the caller. */
  readonly headers: (request: RequestOrigin | undefined) => Readonly<Record<string, string>>;
  /** Opens subscriptions by another protocol than server-sent events. */
  readonly subscribe?: SubgraphClient['subscribe'] | undefined;
  /** How often the subgraph writes to an idle stream of events. Absent: the stream may be silent, and TCP alone notices a lost host. */
  readonly heartbeatMs?: number;
  /** Default: 25 s. */
  readonly timeoutMs?: number;
}

/** A subgraph over HTTP with keep-alive; subscriptions are server-sent events in the format of graphql-sse. */
export class RemoteSubgraphClient implements SubgraphClient {
  readonly dependency: string;
  private readonly fetches: SharedFetches;
  /** A separate pool for bytes, whose duration depends on the client, so that they do not block fetches. */
  private readonly byteAgent: HttpAgent | HttpsAgent;
  private readonly secure: boolean;
  private readonly timeoutMs: number;

  constructor(private readonly subgraph: RemoteEndpoint) {
    this.dependency = subgraph.name;
    this.timeoutMs = subgraph.timeoutMs ?? FETCH_TIMEOUT_MS;
    this.secure = subgraph.url.startsWith('https:');
    const Agent = this.secure ? HttpsAgent : HttpAgent;
    this.fetches = new SharedFetches(new FetchPool(subgraph.url, MAX_RESPONSE_BYTES));
    this.byteAgent = new Agent({ keepAlive: true });
  }

  async execute(request: SubgraphRequest): Promise<SubgraphResult> {
    const bytes = bytesOf(request.variables);
    const text = bytes ? await this.textOf(await this.sendWithBytes(request, ...bytes)) : await this.fetch(request);
    const result = parseResult(text);
    if (!result) throw this.noAnswer();
    return result;
  }

  private async fetch(request: SubgraphRequest): Promise<string> {
    const { query, signal } = request;
    const headers = { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...this.subgraph.headers(request) };
    const text = JSON.stringify(bodyOf(request));
    try {
      return await this.fetches.post(query, { text, headers, signal, timeoutMs: this.timeoutMs });
    } catch {
      throw this.noAnswer();
    }
  }

  async subscribe(request: SubgraphRequest, signal: AbortSignal): Promise<AsyncIterable<SubgraphEvent>> {
    if (this.subgraph.subscribe) return this.subgraph.subscribe(request, signal);
    const response = await this.send(request, { body: bodyOf(request), signal, accept: 'text/event-stream' });
    if (response.statusCode === 200 && !isJson(response)) return this.events(response, signal);
    const result = parseResult(await this.textOf(response));
    if (!result?.errors?.length) throw this.noAnswer();
    return Readable.from([result]);
  }

  async open(request: ByteRequest): Promise<ByteAnswer> {
    const { name: open, parameters, signal } = request;
    const response = await this.send(request, { body: { open, parameters }, signal, accept: BYTES });
    const answer = readAnswer(response);
    if (answer) return answer;
    throw readRefusal(parseResult(await this.textOf(response))?.errors?.[0]) ?? this.noAnswer();
  }

  /** Reports a failing database as the subgraph's own name. */
  async check(): Promise<readonly string[]> {
    const response = await this.send(undefined, { signal: AbortSignal.timeout(5_000), accept: JSON_TYPE });
    const text = await this.textOf(response);
    if (response.statusCode === 200) return [];
    const failing = parseFailing(text).map((name) => (name === 'database' ? this.dependency : name));
    return failing.length > 0 ? failing : [this.dependency];
  }

  async close(): Promise<void> {
    this.byteAgent.destroy();
    await this.fetches.close();
  }

  /** Sends a request. Returns the response when its headers have come, which has a time limit. */
  private async send(
    caller: RequestOrigin | undefined,
    { body, signal, accept }: SendOptions,
  ): Promise<IncomingMessage> {
    const text = body && JSON.stringify(body);
    const request = this.request({
      method: text === undefined ? 'GET' : 'POST',
      agent: this.agentOf(accept),
      signal,
      headers: {
        accept,
        ...(text !== undefined && { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(text) }),
        ...this.subgraph.headers(caller),
      },
    });
    const timer = setTimeout(() => request.destroy(), this.timeoutMs);
    try {
      return await responseOf(request.end(text));
    } catch {
      throw this.noAnswer();
    } finally {
      clearTimeout(timer);
    }
  }

  private async sendWithBytes(caller: SubgraphRequest, bytes: string, source: ByteSource): Promise<IncomingMessage> {
    const { query, variables } = caller;
    const { length, maxBytes } = source;
    const preamble = writePreamble({ query, variables, bytes, length, maxBytes });
    const request = this.request({
      method: 'POST',
      agent: this.byteAgent,
      headers: {
        accept: JSON_TYPE,
        expect: '100-continue',
        'content-type': OPERATION_WITH_BYTES,
        ...(length !== undefined && { 'content-length': preamble.length + length }),
        ...this.subgraph.headers(caller),
      },
    });
    try {
      return await sendBytes(request, preamble, { source, timeoutMs: this.timeoutMs });
    } catch (error) {
      throw errorCode(error) ? error : this.noAnswer();
    }
  }

  private request(options: RequestOptions): ClientRequest {
    return (this.secure ? httpsRequest : httpRequest)(this.subgraph.url, options);
  }

  /** A subscription uses its own connection, because it occupies it until its end. */
  private agentOf(accept: string): HttpAgent | HttpsAgent | false {
    return accept !== 'text/event-stream' && this.byteAgent;
  }

  private async textOf(response: IncomingMessage): Promise<string> {
    try {
      return await readText(response, { maxBytes: MAX_RESPONSE_BYTES, timeoutMs: this.timeoutMs });
    } catch {
      throw this.noAnswer();
    }
  }

  private async *events(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<SubgraphEvent> {
    const { heartbeatMs } = this.subgraph;
    const chunks = heartbeatMs === undefined ? response : untilSilent(response, MISSED_HEARTBEATS * heartbeatMs);
    response.socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    response.setEncoding('utf8');
    try {
      for await (const fields of serverSentEvents(chunks as AsyncIterable<string>, MAX_RESPONSE_BYTES)) {
        if (fields.get('event') === 'complete') return;
        const result = parseResult(fields.get('data') ?? '');
        const state = fields.get('state');
        if (result || state !== undefined) yield { ...result, state };
      }
    } catch {
      // Aborted by this side, which ends quietly, or broken by the other side, which is thrown below.
    } finally {
      response.destroy();
    }
    if (!signal.aborted) throw this.noAnswer();
  }

  private noAnswer(): Error {
    return unavailable(`The ${this.subgraph.name} part of the platform does not answer just now.`);
  }
}

function bodyOf({ query, variables, resumeFrom }: SubgraphRequest): object {
  return { query, variables, resumeFrom };
}

/** Parses the failing dependencies in a health response; empty if it is invalid. */
function parseFailing(text: string): string[] {
  try {
    const { failing } = Object(JSON.parse(text)) as { readonly failing?: unknown };
    return Array.isArray(failing) ? failing.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/** Whether a subgraph answers a subscription with a result, which has the reasons why it does not begin. */
function isJson({ headers }: IncomingMessage): boolean {
  return /\bjson\b/i.test(headers['content-type'] ?? '');
}
