/** What is told of a piece of work. Values come from the code, from routes and statuses, never from what a caller sent. */
export type Attributes = Readonly<Record<string, string | number>>;

/** A piece of work as it begins. */
export interface SpanStart {
  /** One of few: no ids in it. */
  readonly name: string;
  /** Undefined: within this process. */
  readonly kind?: 'server' | 'client' | 'consumer' | undefined;
  readonly attributes?: Attributes;
  /** The header by which whoever asked from another process names the span that asked. Source: W3C Trace Context */
  readonly traceparent?: string | undefined;
  /** Begins a trace of its own where it belongs to none. */
  readonly isEntry?: true;
}

/** A piece of work that is timed. */
export interface Span {
  rename(name: string): void;
  describe(attributes: Attributes): void;
  /** Marks it as failed, by the first of the codes that it is told. */
  fail(code: string): void;
  /** May be told of more than once. */
  end(): void;
}

/** Tells a collector what is done, and how long it takes. Whoever is given none does nothing about it. */
export interface Trace {
  /** Begins a span: below the one that runs, else below the one in `traceparent`, else at the top of a trace. */
  begin(start: SpanStart): Span;
  /** Does the work with this span as the one that runs, also in all that the work waits for. */
  run<Result>(span: Span, work: () => Result): Result;
  /**
   * Does the work in a span below the one that runs; just does it where none does, unless the span names another or is an
   * entry. @param codeIn the code of what the work was refused with although it did not throw
   */
  within<Result>(
    start: SpanStart,
    work: () => Promise<Result>,
    codeIn?: (result: Result) => string | undefined,
  ): Promise<Result>;
  /** The span that runs; undefined: none does. */
  running(): Span | undefined;
  /** The header that names the span that runs. */
  traceparent(): string | undefined;
  /** Sends what is left, as far as that is taken soon. */
  close(): Promise<void>;
}
