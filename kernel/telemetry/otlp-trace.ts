import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace as spans,
  TraceFlags,
  type Context,
  type Link,
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

/** The queue of unsent spans; when it is full, spans are dropped. */
const QUEUE = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  exportTimeoutMillis: 10_000,
};

/**
 * Limits of requests to the collector: all batches of a full queue and one earlier request. Each has its own connection:
 * the exporter does not repeat what it sent on one that the collector was closing.
 */
const EXPORTER_LIMITS = { timeoutMillis: 10_000, concurrencyLimit: 5, keepAlive: false };

/** Maximum time to send the last spans, in milliseconds; the whole shutdown may take 15 s. */
const SHUTDOWN_TIMEOUT_MS = 3_000;

/** Minimum milliseconds between two warnings about the collector. */
const WARNING_INTERVAL_MS = 60_000;

/** Maximum length of the logged reason, in characters. */
const MAX_REASON_LENGTH = 200;

const SPAN_KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

interface OtlpTraceOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum milliseconds until ended spans are sent. */
  readonly delayMs: number;
  readonly subgraphs: readonly string[];
  readonly log: Logger;
}

/**
 * Sends spans to an OTLP collector over HTTP in the background. If the collector fails, spans are lost, never requests.
 * No global tracer is registered, so that packages add no spans of their own.
 */
export function openOtlpTrace({ url, headers, delayMs, subgraphs, log }: OtlpTraceOptions): Trace {
  diag.setLogger(diagnosticLogger(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const version = packageVersion();
  const exporter = new OTLPTraceExporter({ url, headers, ...EXPORTER_LIMITS });
  const provider = new BasicTracerProvider({
    resource: new Resource({
      'service.name': SERVICE,
      'service.version': version,
      'service.instance.id': randomUUID(),
      'archipelago.subgraphs': [...subgraphs],
    }),
    spanProcessors: [new BatchSpanProcessor(exporter, { ...QUEUE, scheduledDelayMillis: delayMs })],
  });
  return new OtlpTrace(provider.getTracer(SERVICE, version), () => provider.shutdown());
}

class OtlpTrace implements Trace {
  private readonly storage = new AsyncLocalStorage<OtlpSpan>();

  constructor(
    private readonly tracer: Tracer,
    private readonly shutdown: () => Promise<void>,
  ) {}

  begin({ name, kind, attributes = {}, traceparent, link }: SpanStart): OtlpSpan {
    const linked = link instanceof OtlpSpan ? [link.link()] : [];
    const options = {
      kind: kind ? SPAN_KINDS[kind] : SpanKind.INTERNAL,
      attributes: { ...attributes },
      links: linked,
      root: link !== undefined,
    };
    const parent = this.running()?.childContext() ?? remoteParent(traceparent) ?? ROOT_CONTEXT;
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
    const hasParent = this.running() !== undefined || start.traceparent !== undefined;
    if (!hasParent && !start.isEntry) return work();
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

  /** Work that continues after the end of its span no longer hasParent to it. */
  running(): OtlpSpan | undefined {
    const span = this.storage.getStore();
    return span?.hasEnded ? undefined : span;
  }

  traceparent(): string | undefined {
    return this.running()?.traceparent();
  }

  async close(): Promise<void> {
    const sent = this.shutdown().catch(() => undefined); // the warning was logged before
    await Promise.race([sent, delay(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

class OtlpSpan implements Span {
  hasEnded = false;
  private hasFailed = false;

  constructor(private readonly span: SdkSpan) {}

  get traceId(): string | undefined {
    const { traceId, traceFlags } = this.span.spanContext();
    return traceFlags & TraceFlags.SAMPLED ? traceId : undefined;
  }

  link(): Link {
    return { context: this.span.spanContext() };
  }

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

  /** The context of child spans. */
  childContext(): Context {
    return spans.setSpan(ROOT_CONTEXT, this.span);
  }

  /** Source: W3C Trace Context, 3.2 */
  traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
  }
}

/** Parses the parent span of another process; undefined if the header is absent or invalid. */
function remoteParent(traceparent: string | undefined): Context | undefined {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent ? spans.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : undefined;
}

/** Returns the public code or the PostgreSQL code, never a message, which may contain client input. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return errorCode(error) ?? (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : 'INTERNAL');
}

/** Receives the diagnostics of the packages, i.e. that the collector refuses spans or is too slow. */
function diagnosticLogger(log: Logger) {
  let lastMs = -Infinity;
  const warn = (text: string) => {
    if (performance.now() - lastMs < WARNING_INTERVAL_MS) return;
    lastMs = performance.now();
    log.warn({ reason: reasonIn(text) }, 'traces are lost: the collector does not take all that it is sent');
  };
  const ignore = () => undefined;
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}

/** Extracts the message from an error, which comes as JSON with its stack. */
function reasonIn(text: string): string {
  const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return (message ?? text).slice(0, MAX_REASON_LENGTH);
}
