import type { BlobStore } from './blob-store.js';

/** Milliseconds that a store may take to say that it is well, and that what it said is believed. */
const LIMIT_MS = 2_000;
const KEPT_MS = 3_000;

/** Whether the store works just now: asked when somebody wants to know, once for all who do at the time. */
export class StoreHealth {
  private last: { readonly answer: Promise<void>; askedAtMs: number; isUnderWay: boolean } | undefined;

  constructor(private readonly store: BlobStore) {}

  /** @throws what the store says, or that it says nothing in time */
  async check(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the store did not answer in time')), LIMIT_MS);
    });
    await Promise.race([this.answer(), late]).finally(() => clearTimeout(timer));
  }

  /** A store that is silent is not asked again before the first question has come to its end. */
  private answer(): Promise<void> {
    const { last } = this;
    if (last && (last.isUnderWay || performance.now() < last.askedAtMs + KEPT_MS)) return last.answer;
    const asked = { answer: this.store.check(), askedAtMs: performance.now(), isUnderWay: true };
    const end = () => (asked.isUnderWay = false);
    asked.answer.then(end, end);
    this.last = asked;
    return asked.answer;
  }
}
