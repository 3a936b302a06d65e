import { call, type Json, type Reply } from '../kit/platform.js';

/** What the clients counted. */
export interface Counts {
  requests: number;
  /** Attempts that failed in a way that a client repeats: no connection, 429, 502, 503, 504, UNAVAILABLE, or what folder sync calls transient. */
  retried: number;
  /** Attempts that failed in a way that a client does not repeat. */
  failed: string[];
  /** Why attempts were repeated, and how often. */
  readonly reasons: Map<string, number>;
}

/** Milliseconds after which a client gives a request up and repeats it. */
const REQUEST_LIMIT_MS = 15_000;

const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);

/** Resolves after so many milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const BROKEN_CONNECTION = /fetch failed|ECONN|EPIPE|socket hang up|other side closed|terminated|time limit/;
/** What `TestUpload.open` throws. */
const REFUSED_UPLOAD = /refused: (429 |50[234] |500 .*"database_error")/;

/** Errors of folder sync that its contract calls transient. */
const TRANSIENT = new Set(['storage_inconsistency', 'database_error']);

interface Expected {
  /** The statuses of a success, by default 200, 201 and 202. */
  readonly statuses?: readonly number[];
  readonly token?: string;
  readonly key?: string;
}

/** Sends requests as an honest client does: what failed for a reason that passes is sent again. */
export class RepeatingClient {
  readonly counts: Counts = { requests: 0, retried: 0, failed: [], reasons: new Map() };
  /** The time of the last success of each kind of request, and the longest pause since `resetPauses`. */
  private readonly lastSuccess = new Map<string, number>();
  private readonly pauses = new Map<string, number>();

  constructor(readonly url: string) {}

  /** Forgets pauses so far. */
  resetPauses(): void {
    this.pauses.clear();
  }

  /** The longest time without a success, of all kinds of requests, in milliseconds, with its kind. */
  longestPause(): { readonly kind: string; readonly ms: number } {
    const now = performance.now();
    const open = [...this.lastSuccess].map(([kind, at]) => ({ kind, ms: now - at }));
    const closed = [...this.pauses].map(([kind, ms]) => ({ kind, ms }));
    return [...open, ...closed].reduce((longest, next) => (next.ms > longest.ms ? next : longest), {
      kind: 'none',
      ms: 0,
    });
  }

  /** The kinds of requests that have not succeeded since then. */
  failingSince(time: number): string[] {
    return [...this.lastSuccess].filter(([, at]) => at <= time).map(([kind]) => kind);
  }

  /** Sends a request until its answer has one of these statuses. @param kind undefined: its pauses are not measured */
  repeat(
    kind: string | undefined,
    target: string,
    body?: unknown,
    { statuses = [200, 201, 202], token, key }: Expected = {},
  ): Promise<Pick<Reply, 'status' | 'body'> & { readonly attempts: number }> {
    let attempts = 0;
    return this.attempt(kind, async () => {
      attempts++;
      const headers = { ...(key !== undefined && { 'idempotency-key': key }) };
      const options = { url: this.url, headers, ...(token !== undefined && { token }) };
      const reply = await call(target, { ...options, ...(body !== undefined && { body }) });
      expectNoErrors(reply.body, target);
      return { ...expectStatus(reply, statuses, target), attempts };
    });
  }

  /** Does something until it succeeds. @param again what is done after a failure @throws at a failure that does not pass */
  async attempt<Result>(kind: string | undefined, work: () => Promise<Result>, again = work): Promise<Result> {
    this.counts.requests++;
    for (let next = work; ; next = again) {
      try {
        const result = await withLimit(next());
        if (kind !== undefined) this.succeeded(kind);
        return result;
      } catch (error) {
        if (!isRetryable(error)) throw error;
        this.repeats(error);
        await pause(100);
      }
    }
  }

  /** Counts a failure that is not repeated, and prints it. */
  fails(error: unknown): void {
    const text = textOf(error).slice(0, 400);
    this.counts.failed.push(text);
    process.stderr.write(`failed: ${text}\n`);
  }

  private repeats(error: unknown): void {
    const reason = textOf(error).slice(0, 160);
    this.counts.retried++;
    this.counts.reasons.set(reason, (this.counts.reasons.get(reason) ?? 0) + 1);
  }

  private succeeded(kind: string): void {
    const now = performance.now();
    const before = this.lastSuccess.get(kind) ?? now;
    this.pauses.set(kind, Math.max(this.pauses.get(kind) ?? 0, now - before));
    this.lastSuccess.set(kind, now);
  }
}

class Retryable extends Error {}

/** @throws when an answer of GraphQL has errors */
function expectNoErrors(body: Json, target: string): void {
  const code = body?.errors?.[0]?.extensions?.code;
  if (code === 'UNAVAILABLE' || code === 'RATE_LIMITED') throw new Retryable(code);
  if (code !== undefined) throw new Error(`${target}: ${JSON.stringify(body.errors)}`);
}

/** Returns the answer if its status is expected. @throws otherwise */
export function expectStatus<Answer extends { readonly status: number; readonly body: Json }>(
  answer: Answer,
  statuses: readonly number[],
  target = '',
): Answer {
  if (statuses.includes(answer.status)) return answer;
  const message = `${target} ${answer.status} ${JSON.stringify(answer.body)}`;
  const isTransient = RETRYABLE_STATUSES.has(answer.status) || TRANSIENT.has(answer.body?.Error?.error);
  throw isTransient ? new Retryable(message) : new Error(message);
}

function isRetryable(error: unknown): boolean {
  if (error instanceof Retryable) return true;
  const text = textOf(error);
  return BROKEN_CONNECTION.test(text) || REFUSED_UPLOAD.test(text);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

async function withLimit<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Retryable('time limit')), REQUEST_LIMIT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
