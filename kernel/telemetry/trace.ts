/** Attributes of a span. Values come from the code, routes and statuses, never from client input. */
export type Attributes = Readonly<Record<string, string | number>>;

/** The start of a span. */
export interface SpanStart {
  /** Low cardinality: contains no ids. */
  readonly name: string;
  /** Undefined: internal to this process. */
  readonly kind?: 'server' | 'client' | 'consumer' | undefined;
  readonly attributes?: Attributes;
  /** The header with the parent span of another process. Source: W3C Trace Context */
  readonly traceparent?: string | undefined;
  /** Starts a new trace if there is no parent. */
  readonly isEntry?: true;
  /** Starts a new trace that is linked to this span, e.g. of a subscription whose event this is. */
  readonly link?: Span;
}

/** A running or ended span. */
export interface Span {
  /** The id of its trace; undefined if the trace is not recorded. */
  readonly traceId: string | undefined;
  rename(name: string): void;
  describe(attributes: Attributes): void;
  /** Marks it as failed; only the first code counts. */
  fail(code: string): void;
  /** Ends it; a second call does nothing. */
  end(): void;
}

/** Records spans for a collector. Code that gets no Trace does nothing. */
export interface Trace {
  /** Starts a span. Its parent is the current span, else `traceparent`, else it starts a trace. */
  begin(start: SpanStart): Span;
  /** Runs the work, including its asynchronous parts, with this span as the current span. */
  run<Result>(span: Span, work: () => Result): Result;
  /**
   * Runs the work in a child span of the current span. Without a parent there is no span, unless `isEntry` is set.
   * @param codeIn returns the error code of a result that was not thrown
   */
  within<Result>(
    start: SpanStart,
    work: () => Promise<Result>,
    codeIn?: (result: Result) => string | undefined,
  ): Promise<Result>;
  /** The current span. */
  running(): Span | undefined;
  /** The `traceparent` header of the current span. */
  traceparent(): string | undefined;
  /** Sends the remaining spans, with a short timeout. */
  close(): Promise<void>;
}
