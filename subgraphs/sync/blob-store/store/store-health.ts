import type { BlobStore } from './blob-store.js';

/** Timeout of a health check, and how long its result is cached, in milliseconds. */
const TIMEOUT_MS = 2_000;
const CACHE_TTL_MS = 3_000;

/** Health check of the store; concurrent callers share one check. */
export class StoreHealth {
  private last: { readonly answer: Promise<void>; startedAtMs: number; isRunning: boolean } | undefined;

  constructor(private readonly store: BlobStore) {}

  /** @throws the error of the store, or a timeout */
  async check(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the store did not answer in time')), TIMEOUT_MS);
    });
    await Promise.race([this.answer(), late]).finally(() => clearTimeout(timer));
  }

  /** No new check starts while one is running. */
  private answer(): Promise<void> {
    const { last } = this;
    if (last && (last.isRunning || performance.now() < last.startedAtMs + CACHE_TTL_MS)) return last.answer;
    const current = { answer: this.store.check(), startedAtMs: performance.now(), isRunning: true };
    const end = () => (current.isRunning = false);
    current.answer.then(end, end);
    this.last = current;
    return current.answer;
  }
}
