import { LRUCache } from 'lru-cache';
import type { Logger } from '../../../kernel/log.js';
import { isTooMuch } from '../compiler/work.rules.js';

/** How long a graph that was too much is not tried again, unless it changes, in milliseconds. */
const KEPT_MS = 60_000;

const MOST_TENANTS = 1_000;

interface Tried {
  readonly id: number;
  readonly graphRevision: number;
}

interface Refusal {
  readonly graphRevision: number;
  readonly until: Date;
  readonly error: Error;
}

/** Graphs that took too much to compile: their machines ask again and again, and each time would take as much. */
export class Refusals {
  private readonly kept = new LRUCache<number, Refusal>({ max: MOST_TENANTS });

  /** @throws UNAVAILABLE where this very graph was too much a short time ago */
  check({ id, graphRevision }: Tried, now: Date): void {
    const refusal = this.kept.get(id);
    if (!refusal) return;
    if (refusal.graphRevision === graphRevision && now < refusal.until) throw refusal.error;
    this.kept.delete(id);
  }

  /** Keeps what is a refusal. @returns whether it is one */
  keep(error: unknown, tried: { readonly tenant: Tried; readonly now: Date; readonly log: Logger }): boolean {
    if (!isTooMuch(error)) return false;
    const { tenant, now, log } = tried;
    const { id, graphRevision } = tenant;
    this.kept.set(id, { graphRevision, error, until: new Date(now.getTime() + KEPT_MS) });
    log.warn({ tenantId: id, error: error.message }, 'a private network was not compiled');
    return true;
  }
}
