import { LRUCache } from 'lru-cache';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import { isOverLimit } from '../../compile/workers/compile-limit.rules.js';

/** How long a graph over the limits is not compiled again unless it becomes smaller, in milliseconds. */
const REFUSAL_TTL_MS = 60_000;

/**
 * A graph is compiled again only below this share of its size, because a minor change, e.g. of a name, would fail at
 * the same cost.
 */
const RETRY_SIZE_RATIO = 0.95;

const MAX_TENANTS = 1_000;

interface Tried {
  readonly id: number;
  readonly graphRevision: number;
}

interface Tries {
  readonly tenant: Tried;
  readonly size: number;
  readonly now: Date;
  readonly log: Logger;
}

interface Refusal {
  readonly graphRevision: number;
  /** Size in characters. */
  readonly size: number;
  readonly until: Date;
  readonly error: Error;
}

/** Remembers graphs over the compile limits, because their machines keep polling. */
export class Refusals {
  private readonly kept = new LRUCache<number, Refusal>({ max: MAX_TENANTS });

  /** @throws UNAVAILABLE if the same graph exceeded the limits recently */
  check({ id, graphRevision }: Tried, now: Date): void {
    const refusal = this.kept.get(id);
    if (!refusal) return;
    if (now >= refusal.until) this.kept.delete(id);
    else if (refusal.graphRevision === graphRevision) throw refusal.error;
  }

  /** Checks a changed graph. @param size in characters @throws UNAVAILABLE if it is not much smaller */
  checkSize({ id }: Tried, size: number): void {
    const refusal = this.kept.get(id);
    if (refusal && size > RETRY_SIZE_RATIO * refusal.size) throw refusal.error;
  }

  /** Remembers a refusal. @returns whether the error is a refusal */
  keep(error: unknown, tried: Tries): boolean {
    if (!isOverLimit(error)) return false;
    const { tenant, size, now, log } = tried;
    const { id, graphRevision } = tenant;
    this.kept.set(id, { graphRevision, size, error, until: new Date(now.getTime() + REFUSAL_TTL_MS) });
    log.warn({ tenantId: id, error: error.message }, 'a private network was not compiled');
    return true;
  }
}
