import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as spans,
  TraceFlags,
  type Context,
  type Span as SdkSpan,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../errors.js';
import type { Logger } from './log.js';
import { packageVersion } from '../package-root.js';
import type { Attributes, Span, SpanStart, Trace } from './trace.js';

const SERVICE = 'archipelago';

/** Spans that wait to be sent; those beyond are dropped. */
const QUEUE = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  scheduledDelayMillis: 1_000,
  exportTimeoutMillis: 10_000,
};

/** Requests to the collector at a time: the queue in batches, and the one that was under way before. */
const SENDING = { timeoutMillis: 10_000, concurrencyLimit: 5, keepAlive: true };

/** Milliseconds that the last spans have at the end, of the 15 s that all of it may take. */
const SHUTDOWN_TIMEOUT_MS = 3_000;

/** Milliseconds between two lines of the log about a collector that does not take what it is sent. */
const COMPLAINT_MS = 60_000;

/** Characters of what went wrong with the collector. */
const MAX_REASON = 200;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

interface OtlpTraceOptions {
  readonly url: string;
  readonly subgraphs: readonly string[];
  readonly log: Logger;
}

/**
 * Sends spans to an OTLP collector over HTTP, in the background: a collector that is down, slow or refuses costs spans,
 * never requests. Nothing is made known to the process at large, so that no package adds spans of its own.
 */
export function openOtlpTrace({ url, subgraphs, log }: OtlpTraceOptions): Trace {
  diag.setLogger(complainingTo(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const version = packageVersion();
  const provider = new BasicTracerProvider({
    resource: new Resource({
      'service.name': SERVICE,
      'service.version': version,
      'service.instance.id': randomUUID(),
      'archipelago.subgraphs': [...subgraphs],
    }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url, ...SENDING }), QUEUE)],
  });
  return new OtlpTrace(provider.getTracer(SERVICE, version), () => provider.shutdown());
}

class OtlpTrace implements Trace {
  private readonly storage = new AsyncLocalStorage<OtlpSpan>();

  constructor(
    private readonly tracer: Tracer,
    private readonly shutdown: () => Promise<void>,
  ) {}

  begin({ name, kind, attributes = {}, traceparent }: SpanStart): OtlpSpan {
    const options = { kind: kind ? KINDS[kind] : SpanKind.INTERNAL, attributes: { ...attributes } };
    const parent = this.running()?.below() ?? named(traceparent) ?? ROOT_CONTEXT;
    return new OtlpSpan(this.tracer.startSpan(name, options, parent));
  }

  run<Result>(span: OtlpSpan, work: () => Result): Result {
    return this.storage.run(span, work);
  }

  async within<Result>(
    start: SpanStart,
    work: () => Promise<Result>,
    codeIn?: (result: Result) => string | undefined,
  ): Promise<Result> {
    const belongs = this.running() !== undefined || start.traceparent !== undefined;
    if (!belongs && !start.isEntry) return work();
    const span = this.begin(start);
    try {
      const result = await this.run(span, work);
      const code = codeIn?.(result);
      if (code !== undefined) span.fail(code);
      return result;
    } catch (error) {
      span.fail(codeOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  /** What goes on after its span has ended belongs to it no more. */
  running(): OtlpSpan | undefined {
    const span = this.storage.getStore();
    return span?.hasEnded ? undefined : span;
  }

  traceparent(): string | undefined {
    return this.running()?.traceparent();
  }

  async close(): Promise<void> {
    const sent = this.shutdown().catch(() => undefined); // already complained of
    await Promise.race([sent, delay(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

class OtlpSpan implements Span {
  hasEnded = false;
  private hasFailed = false;

  constructor(private readonly span: SdkSpan) {}

  rename(name: string): void {
    this.span.updateName(name);
  }

  describe(attributes: Attributes): void {
    this.span.setAttributes({ ...attributes });
  }

  fail(code: string): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR, message: code });
  }

  end(): void {
    if (!this.hasEnded) this.span.end();
    this.hasEnded = true;
  }

  /** Where spans below it begin. */
  below(): Context {
    return spans.setSpan(ROOT_CONTEXT, this.span);
  }

  /** Source: W3C Trace Context, 3.2 */
  traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
  }
}

/** The span of another process that a header names; what cannot be read names none. */
function named(traceparent: string | undefined): Context | undefined {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent ? spans.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : undefined;
}

/** A code of ours, else PostgreSQL's; never a message, which may hold what a caller sent. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return errorCode(error) ?? (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : 'INTERNAL');
}

/** What the packages have to say: that the collector does not take what it is sent, or too late. */
function complainingTo(log: Logger) {
  let lastMs = -Infinity;
  const complain = (text: string) => {
    if (performance.now() - lastMs < COMPLAINT_MS) return;
    lastMs = performance.now();
    log.warn({ reason: reasonIn(text) }, 'traces are lost: the collector does not take all that it is sent');
  };
  const ignore = () => undefined;
  return { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore };
}

/** Errors come as JSON, with their stack. */
function reasonIn(text: string): string {
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return (message ?? text).slice(0, MAX_REASON);
}
