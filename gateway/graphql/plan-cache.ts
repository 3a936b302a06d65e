import type { DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { rateLimited } from '../../kernel/errors.js';
import { networkOf } from '../../kernel/http/client-network.js';
import type { Engine, PlannedOperation } from '../engine/engine.js';

/** What is kept of planned operations: so many, and so many characters of their texts, as a long one holds more memory. */
const KEPT = { max: 1_000, maxSize: 1_000_000 } as const;

/**
 * Characters of new operations one client address may have planned: a burst, then so many a second. Planning and
 * compiling takes milliseconds of the only thread a thousand characters; an operation that is known costs nothing here.
 */
const NEW_CHARACTERS = { burst: 1_000_000, perSecond: 20_000 } as const;

/** Networks remembered; beyond, the one that was quiet the longest has its burst back. */
const MAX_ADDRESSES = 10_000;

export interface PlanCall {
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
  private readonly allowances = new LRUCache<string, Allowance>({ max: MAX_ADDRESSES });

  constructor(
    private readonly engine: Engine,
    /** Milliseconds of a clock that only goes forward. */
    private readonly clock: () => number,
  ) {}

  /**
   * Lets a document in to be read and checked, which costs time too. @param text the document
   * @throws RATE_LIMITED when it is new and this client address has had too many new ones
   */
  admit(text: string, call: PlanCall): void {
    if (!this.plans.has(keyOf(text, call)) && this.leftAfter(text, call) < 0) throw tooManyNew();
  }

  /** Counts a document that was refused as one that was planned: reading and checking it took as long. */
  countRefused(text: string, call: PlanCall): void {
    this.keep(Math.max(0, this.leftAfter(text, call)), call);
  }

  /**
   * The plan of a valid document. @param text of which it was read
   * @throws RATE_LIMITED when this client address has too many new operations planned
   */
  of(text: string, document: DocumentNode, call: PlanCall): PlannedOperation {
    const key = keyOf(text, call);
    const known = this.plans.get(key);
    if (known) return known;
    const left = this.leftAfter(text, call);
    if (left < 0) throw tooManyNew();
    this.keep(left, call);
    const planned = this.engine.plan(document, call.name);
    this.plans.set(key, planned, { size: sizeOf(text) });
    return planned;
  }

  private leftAfter(text: string, { address }: PlanCall): number {
    if (address === undefined) return NEW_CHARACTERS.burst;
    const now = this.clock();
    const before = this.allowances.get(networkOf(address)) ?? { left: NEW_CHARACTERS.burst, countedAtMs: now };
    const refilled = before.left + ((now - before.countedAtMs) / 1000) * NEW_CHARACTERS.perSecond;
    return Math.min(NEW_CHARACTERS.burst, refilled) - sizeOf(text);
  }

  private keep(left: number, { address }: PlanCall): void {
    if (address !== undefined) this.allowances.set(networkOf(address), { left, countedAtMs: this.clock() });
  }
}

function tooManyNew(): GraphQLError {
  return rateLimited('Too many operations that were never seen before; use variables.', {
    retryAfter: 1,
    http: { status: 429 },
  });
}

function keyOf(text: string, { name }: PlanCall): string {
  return `${name ?? ''}\n${text}`;
}

function sizeOf(text: string): number {
  return Math.max(1, text.length);
}
