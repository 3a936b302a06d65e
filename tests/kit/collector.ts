import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Json } from './platform.js';

type Attributes = Readonly<Record<string, unknown>>;

/** A span as it was sent. Source: OTLP specification, JSON Protobuf Encoding */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** Nanoseconds since 1970. */
  readonly startedAt: bigint;
  /** `server`, `client`, … */
  readonly kind: string;
  readonly attributes: Attributes;
  /** The code that it failed with; undefined: it did not. */
  readonly failure: string | undefined;
  /** Of the process that sent it. */
  readonly resource: Attributes;
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const STATUS_ERROR = 2;

/** How it answers: by a status, or never. */
export type Reception = number | 'never';

/** An OTLP/HTTP collector on the loopback that keeps all it is sent. */
export class Collector {
  readonly spans: SentSpan[] = [];
  /** Bodies as they came. */
  readonly bodies: string[] = [];
  /** Paths that were posted to. */
  readonly paths = new Set<string>();
  connections = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((request, response) => void this.take(request, response));

  private constructor(
    /** From now on. */
    public reception: Reception,
  ) {}

  static async open(reception: Reception = 200): Promise<Collector> {
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

  /** The spans of one trace. */
  trace(traceId: string): SentSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.paths.add(`${request.method} ${request.url}`);
    this.bodies.push(body);
    if (this.reception === 'never') return;
    if (this.reception === 200) this.spans.push(...spansIn(JSON.parse(body)));
    response.writeHead(this.reception, { 'content-type': 'application/json' }).end('{}');
  }
}

function spansIn({ resourceSpans }: Json): SentSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: Json) =>
    scopeSpans.flatMap(({ spans }: Json) => spans.map((span: Json) => readSpan(span, attributesOf(resource)))),
  );
}

function readSpan(span: Json, resource: Attributes): SentSpan {
  const { traceId, spanId, name, status } = span;
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanId,
    name,
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

/** The header that names a span of a caller, and the trace that it begins. */
export function callerSpan(isSampled = true): { readonly traceId: string; readonly traceparent: string } {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(Math.random() * 16).toString(16)).join('');
  const traceId = hex(32);
  return { traceId, traceparent: `00-${traceId}-${hex(15)}1-${isSampled ? '01' : '00'}` };
}

/** Spans as lines in the order of their beginning, each below its parent by two blanks. */
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
