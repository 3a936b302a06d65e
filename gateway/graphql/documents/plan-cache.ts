import type { DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { TokenBuckets } from '../../../kernel/concurrency/token-buckets.js';
import { badRequest, rateLimited } from '../../../kernel/errors.js';
import { networkOf } from '../../../kernel/http/client-network.js';
import { METRICS, type Sample } from '../../../kernel/telemetry/metrics.js';
import type { Engine } from '../../engine/engine.js';
import type { PlannedOperation } from '../../engine/planned-operation.js';
import type { limitValues } from '../limits/limits.js';
import { hasManyOverlaps } from '../limits/overlaps.js';
import { PersistedDocuments } from './persisted-documents.js';

/** Limits of the cache: planned operations, and the bytes that they are estimated to hold. */
const CACHE_LIMITS = { max: 1_000, maxSize: 64 * 1024 * 1024 } as const;

/**
 * Bytes of a planned operation: by itself, for each character of the document, and for each selection of its compiled
 * combinations, where fragments count at each use. An upper estimate, measured as growth of the heap (`0002`).
 */
const BYTES = { operation: 6_000, character: 50, selection: 700 } as const;

/**
 * Rate limit for new operations of one client network, in characters of the document. Planning takes milliseconds of the
 * main thread for each thousand characters. Cached operations are not limited.
 */
const NEW_OPERATION_LIMIT = { burst: 1_000_000, perSecond: 20_000 } as const;

/** Maximum number of client networks with an allowance. Above it, the least recently used one is reset to a full burst. */
const MAX_NETWORKS = 10_000;

const LOOKUPS = METRICS.counter('plan_cache_lookups_total', 'Look-ups of planned operations by requests.', ['result']);
const PLANNING_SECONDS = METRICS.histogram(
  'plan_seconds',
  'Time to plan a new operation, on the main thread.',
  [],
  [0.001, 0.005, 0.025, 0.1, 0.5, 2.5],
);
const REFUSED = METRICS.counter('plan_refused_total', 'Requests whose client network planned too many operations.', []);
const PLANS = METRICS.gauge('plan_cache_operations', 'Planned operations in the cache.', []);
const PLAN_BYTES = METRICS.gauge('plan_cache_bytes', 'Estimated memory of the planned operations in the cache.', []);

export interface PlanRequest {
  /** The operation name of the request. */
  readonly name: string | undefined;
  /** The client address whose allowance is used; undefined: no limit. */
  readonly address: string | undefined;
}

interface PlanCacheOptions {
  readonly limits?: { readonly max: number; readonly maxSize: number } | undefined;
  /** Undefined: documents have no limits. */
  readonly limitOf?: ReturnType<typeof limitValues> | undefined;
}

/** An LRU cache of planned operations, by document and operation name. */
export class PlanCache {
  private readonly plans: LRUCache<string, PlannedOperation>;
  private readonly allowances: TokenBuckets;

  constructor(
    private readonly engine: Engine,
    /** A monotonic clock in milliseconds. */
    clock: () => number,
    /** Which documents may be planned, and which are known by hash. */
    readonly documents = new PersistedDocuments(),
    private readonly options: PlanCacheOptions = {},
  ) {
    this.plans = new LRUCache(options.limits ?? CACHE_LIMITS);
    this.allowances = new TokenBuckets(NEW_OPERATION_LIMIT, clock, MAX_NETWORKS);
  }

  /** The current values of its gauges. */
  samples(): Sample[] {
    return [
      { gauge: PLANS, labels: [], value: this.plans.size },
      { gauge: PLAN_BYTES, labels: [], value: this.plans.calculatedSize },
    ];
  }

  /** Returns a planned operation. @param text the document @param name the operation name of the request */
  find(text: string, name: string | undefined): PlannedOperation | undefined {
    const planned = this.plans.get(keyOf(text, name));
    LOOKUPS.add([planned ? 'hit' : 'miss']);
    return planned;
  }

  /**
   * Checks the allowance before a document is parsed and validated, which takes time too. @param text the document
   * @throws RATE_LIMITED when the document is new and its client network has no allowance left, BAD_REQUEST when its validation
   * would take long
   */
  admit(text: string, call: PlanRequest): void {
    if (call.address === undefined || this.plans.has(keyOf(text, call.name))) return;
    if (this.allowances.left(networkOf(call.address)) < sizeOf(text)) throw tooMany(NEW_DOCUMENT);
    if (!hasManyOverlaps(text)) return;
    this.chargeInvalid(text, call.address);
    throw badRequest('The operation exceeds a limit: too many selections share the same response name.');
  }

  /** Charges an invalid document like a planned one: parsing and validation take as long. */
  chargeInvalid(text: string, address: string | undefined): void {
    if (address !== undefined) this.allowances.drain(networkOf(address), sizeOf(text));
  }

  /**
   * Returns the plan of a valid document, from the cache or new. @param text the source of the document
   * @throws RATE_LIMITED when the operation is new and its client network has no allowance left, QUERY_NOT_IN_SAFELIST
   */
  planOrGet(text: string, document: DocumentNode, call: PlanRequest): PlannedOperation {
    const key = keyOf(text, call.name);
    const cached = this.plans.get(key);
    if (cached) return cached;
    this.documents.requireTrusted(text);
    this.charge(text, call.address, NEW_DOCUMENT);
    const startedAt = performance.now();
    const planned: PlannedOperation = this.engine.plan(document, call.name, {
      check: this.options.limitOf?.(document, call.name),
      charge: (address) => this.charge(text, address, NEW_COMBINATION),
      onSizeChange: () => {
        // `LRUCache.set` keeps the old size of an unchanged value, so delete it first.
        if (this.plans.peek(key) === planned && this.plans.delete(key)) this.keep(key, planned);
      },
    });
    PLANNING_SECONDS.observe([], (performance.now() - startedAt) / 1000);
    this.keep(key, planned);
    return planned;
  }

  private keep(key: string, planned: PlannedOperation): void {
    const size = BYTES.operation + BYTES.character * key.length + BYTES.selection * planned.selectionCount;
    this.plans.set(key, planned, { size });
  }

  private charge(text: string, address: string | undefined, reason: string): void {
    if (address !== undefined && !this.allowances.take(networkOf(address), sizeOf(text))) throw tooMany(reason);
  }
}

const NEW_DOCUMENT = 'Too many new operations. Use variables instead of literal values.';
const NEW_COMBINATION =
  'Too many new combinations of the variables of `@include`, `@skip` and `@defer`: each is planned like a new operation.';

function tooMany(reason: string): GraphQLError {
  REFUSED.add([]);
  return rateLimited(reason, { retryAfter: 1, http: { status: 429 } });
}

function keyOf(text: string, name: string | undefined): string {
  return `${name ?? ''}\n${text}`;
}

function sizeOf(text: string): number {
  return Math.max(1, text.length);
}
