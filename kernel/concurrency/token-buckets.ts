import { LRUCache } from 'lru-cache';

/** The size and the rate of a bucket. */
export interface BucketLimit {
  /** Tokens of a full bucket. */
  readonly burst: number;
  /** Tokens that are added each second. */
  readonly perSecond: number;
}

interface Bucket {
  left: number;
  countedAtMs: number;
}

/** Token buckets in memory, one for each key. A new bucket is full. */
export class TokenBuckets {
  private readonly buckets: LRUCache<string, Bucket>;

  constructor(
    private readonly limit: BucketLimit,
    /** A monotonic clock in milliseconds. */
    private readonly clock: () => number,
    /** Above it, the least recently used key gets a new bucket. */
    maxKeys: number,
  ) {
    this.buckets = new LRUCache({ max: maxKeys });
  }

  /** Returns the tokens that the key has. */
  left(key: string): number {
    const bucket = this.buckets.get(key);
    return bucket ? this.refill(bucket).left : this.limit.burst;
  }

  /** Takes the tokens, if the key has as many. Returns whether it had. */
  take(key: string, tokens: number): boolean {
    const bucket = this.bucketOf(key);
    if (bucket.left < tokens) return false;
    bucket.left -= tokens;
    return true;
  }

  /** Takes the tokens, or all that are left. */
  drain(key: string, tokens: number): void {
    const bucket = this.bucketOf(key);
    bucket.left = Math.max(0, bucket.left - tokens);
  }

  private bucketOf(key: string): Bucket {
    const known = this.buckets.get(key);
    if (known) return this.refill(known);
    const bucket = { left: this.limit.burst, countedAtMs: this.clock() };
    this.buckets.set(key, bucket);
    return bucket;
  }

  private refill(bucket: Bucket): Bucket {
    const now = this.clock();
    const added = ((now - bucket.countedAtMs) / 1000) * this.limit.perSecond;
    bucket.left = Math.min(this.limit.burst, bucket.left + added);
    bucket.countedAtMs = now;
    return bucket;
  }
}
