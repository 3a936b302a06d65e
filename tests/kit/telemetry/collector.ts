import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Json } from '../platform.js';
import { until } from '../watch.js';

type Attributes = Readonly<Record<string, unknown>>;

/** A received span. Source: OTLP specification, JSON Protobuf Encoding */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** Ids of the linked spans. */
  readonly links: readonly string[];
  /** Nanoseconds since 1970. */
  readonly startedAt: bigint;
  /** `server`, `client`, … */
  readonly kind: string;
  readonly attributes: Attributes;
  /** The error code; undefined: the span has no error. */
  readonly failure: string | undefined;
  /** Name of the service that sent it. */
  readonly resource: Attributes;
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const STATUS_ERROR = 2;

/** The response: a status, or never; `once`: 200 to the first request of a connection, which it closes when another comes. */
export type CollectorResponse = number | 'never' | 'once';

/** An OTLP/HTTP collector on loopback that stores all requests. */
export class Collector {
  readonly spans: SentSpan[] = [];
  /** Received bodies. */
  readonly bodies: string[] = [];
  /** Paths of the received requests. */
  readonly paths = new Set<string>();
  /** Values of the header `api-key`. */
  readonly keys = new Set<string | undefined>();
  connections = 0;
  private readonly sockets = new Set<Socket>();
  private readonly served = new WeakSet<Socket>();
  private readonly server = createServer((request, response) => void this.take(request, response));

  private constructor(
    /** Applies to the next requests. */
    public reception: CollectorResponse,
  ) {}

  static async open(reception: CollectorResponse = 200): Promise<Collector> {
    const collector = new Collector(reception);
    collector.server.on('connection', (socket) => {
      collector.connections++;
      collector.sockets.add(socket);
    });
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings of a platform that sends its spans here, as soon as they have ended. */
  get settings() {
    return { TELEMETRY: this.url, OTEL_BSP_SCHEDULE_DELAY: '20' };
  }

  /** Returns the spans of one trace. */
  trace(traceId: string): SentSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.reception === 'once' && this.served.has(request.socket)) return void request.socket.destroy();
    this.served.add(request.socket);
    const body = await text(request);
    this.keys.add(request.headers['api-key']?.toString());
    this.paths.add(`${request.method} ${request.url}`);
    this.bodies.push(body);
    if (this.reception === 'never') return;
    const status = this.reception === 'once' ? 200 : this.reception;
    if (status === 200) this.spans.push(...spansIn(JSON.parse(body)));
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  }
}

function spansIn({ resourceSpans }: Json): SentSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: Json) =>
    scopeSpans.flatMap(({ spans }: Json) => spans.map((span: Json) => readSpan(span, attributesOf(resource)))),
  );
}

function readSpan(span: Json, resource: Attributes): SentSpan {
  const { traceId, spanId, name, status, links = [] } = span;
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanId,
    name,
    links: links.map((link: Json) => link.spanId),
    startedAt: BigInt(span.startTimeUnixNano),
    kind: KINDS[span.kind] ?? '',
    attributes: attributesOf(span),
    failure: status?.code === STATUS_ERROR ? status.message : undefined,
    resource,
  };
}

function attributesOf({ attributes }: Json): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }: Json) => [key, valueOf(value)]));
}

function valueOf(value: Json): unknown {
  return value.arrayValue ? (value.arrayValue.values ?? []).map(valueOf) : Object.values(value)[0];
}

/** Returns a traceparent header of a client span, and its trace id. */
export function callerSpan(isSampled = true): { readonly traceId: string; readonly traceparent: string } {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(Math.random() * 16).toString(16)).join('');
  const traceId = hex(32);
  return { traceId, traceparent: `00-${traceId}-${hex(15)}1-${isSampled ? '01' : '00'}` };
}

/** Sends a request with a trace of its own. Returns the spans of the trace, as soon as every process has sent its own. */
export async function wholeTrace(
  collector: Collector,
  send: (headers: Record<string, string>) => Promise<unknown>,
): Promise<SentSpan[]> {
  const { traceId, traceparent } = callerSpan();
  await send({ traceparent });
  const parent = traceparent.split('-')[2];
  await until(async () => collector.trace(traceId).some(({ parentSpanId }) => parentSpanId === parent));
  await until(async () => isWhole(collector.trace(traceId), parent));
  return collector.trace(traceId);
}

/**
 * Whether every process has sent its spans of a trace: each sends its own when it has some, so children may come later.
 * @param parent id of the span above the trace
 */
export function isWhole(spans: readonly SentSpan[], parent = ''): boolean {
  const ids = new Set([parent, ...spans.map(({ spanId }) => spanId)]);
  const served = spans.filter(({ kind, name }) => kind === 'client' && /^(?:call|fetch) /.test(name));
  const areServed = served.every(({ spanId }) => spans.some(({ parentSpanId }) => parentSpanId === spanId));
  return areServed && spans.every(({ parentSpanId }) => ids.has(parentSpanId ?? ''));
}

/** Formats spans in the order of their start. Children are indented by two spaces. */
export function outline(spans: readonly SentSpan[]): string[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const below = (parents: readonly SentSpan[], depth: number): string[] =>
    parents
      .toSorted((one, other) => (one.startedAt < other.startedAt ? -1 : 1))
      .flatMap(({ name, spanId }) => {
        const children = spans.filter(({ parentSpanId }) => parentSpanId === spanId);
        return [`${'  '.repeat(depth)}${name}`, ...below(children, depth + 1)];
      });
  return below(
    spans.filter(({ parentSpanId }) => !known.has(parentSpanId ?? '')),
    0,
  );
}
