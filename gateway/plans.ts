import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { rateLimited } from '../kernel/errors.js';
import type { Engine, PlannedOperation } from './engine/engine.js';

/** What is kept of planned operations: so many, and so many characters of their texts, as a long one holds more memory. */
const KEPT = { max: 1_000, maxSize: 1_000_000 } as const;

/**
 * Characters of new operations one client address may have planned: a burst, then so many a second. Planning and
 * compiling takes milliseconds of the only thread a thousand characters; an operation that is known costs nothing here.
 */
const NEW_CHARACTERS = { burst: 1_000_000, perSecond: 20_000 } as const;

/** Addresses remembered; beyond, the one that was quiet the longest has its burst back. */
const MOST_ADDRESSES = 10_000;

interface PlanCall {
  /** Which operation of the document. */
  readonly name: string | undefined;
  /** Whose allowance it counts against; undefined: nobody's. */
  readonly address: string | undefined;
}

interface Allowance {
  readonly left: number;
  readonly countedAtMs: number;
}

/** Plans by the text of their document and the operation's name, the most used kept. */
export class Plans {
  private readonly plans = new LRUCache<string, PlannedOperation>(KEPT);
  private readonly allowances = new LRUCache<string, Allowance>({ max: MOST_ADDRESSES });

  constructor(
    private readonly engine: Engine,
    /** Milliseconds of a clock that only goes forward. */
    private readonly clock: () => number,
  ) {}

  /**
   * The plan of a valid document. @param key stands for its text
   * @throws RATE_LIMITED when this client address has too many new operations planned
   */
  of(key: string, document: DocumentNode, { name, address }: PlanCall): PlannedOperation {
    const kept = `${name ?? ''}\n${key}`;
    const known = this.plans.get(kept);
    if (known) return known;
    const length = Math.max(1, document.loc?.source.body.length ?? key.length);
    this.countNew(length, address);
    const planned = this.engine.plan(document, name);
    this.plans.set(kept, planned, { size: length });
    return planned;
  }

  private countNew(length: number, address: string | undefined): void {
    if (address === undefined) return;
    const now = this.clock();
    const before = this.allowances.get(address) ?? { left: NEW_CHARACTERS.burst, countedAtMs: now };
    const refilled = before.left + ((now - before.countedAtMs) / 1000) * NEW_CHARACTERS.perSecond;
    const left = Math.min(NEW_CHARACTERS.burst, refilled) - length;
    if (left < 0)
      throw rateLimited('Too many operations that were never seen before; use variables.', {
        retryAfter: 1,
        http: { status: 429 },
      });
    this.allowances.set(address, { left, countedAtMs: now });
  }
}
