import { LRUCache } from 'lru-cache';
import type { Logger } from '../../../../kernel/telemetry/log.js';
import { isTooMuch } from '../../compile/compiler/work.rules.js';

/** How long a graph that was too much is not tried again unless it is made smaller, in milliseconds. */
const KEPT_MS = 60_000;

/** By how much it has to be smaller: with another name alone each attempt would take as much as the one before. */
const SMALLER = 0.95;

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
  /** In characters. */
  readonly size: number;
  readonly until: Date;
  readonly error: Error;
}

/** Graphs that took too much to compile: their machines ask again and again, and each time would take as much. */
export class Refusals {
  private readonly kept = new LRUCache<number, Refusal>({ max: MAX_TENANTS });

  /** @throws UNAVAILABLE where this very graph was too much a short time ago */
  check({ id, graphRevision }: Tried, now: Date): void {
    const refusal = this.kept.get(id);
    if (!refusal) return;
    if (now >= refusal.until) this.kept.delete(id);
    else if (refusal.graphRevision === graphRevision) throw refusal.error;
  }

  /** The same of a graph that is another by now. @param size in characters @throws UNAVAILABLE where it is hardly smaller */
  checkSize({ id }: Tried, size: number): void {
    const refusal = this.kept.get(id);
    if (refusal && size > SMALLER * refusal.size) throw refusal.error;
  }

  /** Keeps what is a refusal. @returns whether it is one */
  keep(error: unknown, tried: Tries): boolean {
    if (!isTooMuch(error)) return false;
    const { tenant, size, now, log } = tried;
    const { id, graphRevision } = tenant;
    this.kept.set(id, { graphRevision, size, error, until: new Date(now.getTime() + KEPT_MS) });
    log.warn({ tenantId: id, error: error.message }, 'a private network was not compiled');
    return true;
  }
}
