import type { FetchPool, Post } from './fetch-pool.js';

/** Equal fetches that are not sent yet. */
interface Shared {
  readonly posts: Post[];
  readonly answer: Promise<string>;
}

/** Differs between equal queries: the log of the subgraph has the request that began first. A trace is not shared, so that it is whole. */
const REQUEST_ID = 'x-request-id';

/**
 * Sends queries that are equal and begin in the same turn of the event loop once. A query never joins one that was sent
 * before it began, so that an answer is not older than its question: a client reads what it has written.
 */
export class SharedFetches {
  /** The queries of this turn, by what gets the same answer. */
  private readonly waiting = new Map<string, Shared>();

  constructor(private readonly pool: FetchPool) {}

  /** Sends the fetch of an operation. Its type comes first in the text, as the engine writes it. */
  async post(operation: string, post: Post): Promise<string> {
    if (!/^\s*(?:query\b|\{)/.test(operation)) return this.pool.post(post);
    const key = keyOf(post);
    const shared = this.waiting.get(key) ?? this.begin(key);
    shared.posts.push(post);
    return untilAborted(shared.answer, post.signal);
  }

  /** Ends all fetches. */
  async close(): Promise<void> {
    await this.pool.close();
  }

  private begin(key: string): Shared {
    const posts: Post[] = [];
    const turn = new Promise((resolve) => setImmediate(resolve));
    const answer = turn.then(() => {
      this.waiting.delete(key);
      const [first] = posts as [Post];
      return this.pool.post(posts.length === 1 ? first : { ...first, signal: whenAllAborted(posts) });
    });
    const shared = { posts, answer };
    this.waiting.set(key, shared);
    return shared;
  }
}

function keyOf({ text, headers }: Post): string {
  let key = text;
  for (const [name, value] of Object.entries(headers)) if (name !== REQUEST_ID) key += `\n${name}: ${value}`;
  return key;
}

/** Returns a signal that aborts when nobody waits for the answer any more; undefined when somebody always does. */
function whenAllAborted(posts: readonly Post[]): AbortSignal | undefined {
  const signals = posts.flatMap(({ signal }) => signal ?? []);
  if (signals.length < posts.length) return undefined;
  const all = new AbortController();
  let left = 0;
  const count = () => {
    if (++left === signals.length) all.abort();
  };
  for (const signal of signals) {
    if (signal.aborted) count();
    else signal.addEventListener('abort', count, { signal: all.signal });
  }
  return all.signal;
}

/** Rejects at once when the signal aborts, also while others still wait for the answer. */
function untilAborted(answer: Promise<string>, signal: AbortSignal | undefined): Promise<string> {
  if (!signal) return answer;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('aborted'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
    void answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
