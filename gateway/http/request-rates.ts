import type { GraphQLError } from 'graphql';
import { TokenBuckets } from '../../kernel/concurrency/token-buckets.js';
import { rateLimited } from '../../kernel/errors.js';
import { networkOf } from '../../kernel/http/client-network.js';
import type { Viewer } from '../../kernel/security/viewer.js';
import { METRICS } from '../../kernel/telemetry/metrics.js';

/** Requests a second; 0: no limit. */
export interface Rates {
  readonly perUser: number;
  readonly perAddress: number;
}

/** Size of a full bucket, in seconds of the rate. */
const BURST_SECONDS = 2;

/** Maximum number of users, and of client networks, that are counted. Above it, the least recently used one gets a full burst. */
const MAX_COUNTED = 10_000;

/** Rates are whole numbers, so one more request is allowed after a second. */
const RETRY_AFTER_S = 1;

/**
 * Paths without a limit. An orchestrator kills a process whose probe is refused. Calls between subgraphs carry the shared
 * secret.
 */
const UNCOUNTED = /^\/(?:health(?:\/(?:live|ready))?|healthz|readyz|metrics|_subgraphs\/\w+)\/?(?:\?|$)/;

const REFUSED = METRICS.counter(
  'requests_refused_total',
  'Requests, and operations on websockets, above the rate of their user or client network.',
  ['rate'],
);

/** Limits the requests a second of each user and of each client network, in this process. */
export class RequestRates {
  private readonly users: TokenBuckets | undefined;
  private readonly networks: TokenBuckets | undefined;

  /** @param clock monotonic, in milliseconds */
  constructor({ perUser, perAddress }: Rates, clock: () => number) {
    this.users = bucketsOf(perUser, clock);
    this.networks = bucketsOf(perAddress, clock);
  }

  /** Counts a request by its client network, before its viewer is known. @param url the path and query @throws RATE_LIMITED */
  countByNetwork(url: string, clientAddress: string): void {
    if (!this.networks || UNCOUNTED.test(url) || this.networks.take(networkOf(clientAddress), 1)) return;
    REFUSED.add(['address']);
    throw tooMany('Too many requests from your address.');
  }

  /** Counts a request or an operation of a user. Services act for many users and are counted by address only. @throws RATE_LIMITED */
  countByUser(viewer: Viewer): void {
    if (!this.users || viewer.kind !== 'user' || this.users.take(String(viewer.userId), 1)) return;
    REFUSED.add(['user']);
    throw tooMany('Too many of your requests.');
  }
}

function bucketsOf(perSecond: number, clock: () => number): TokenBuckets | undefined {
  return perSecond === 0
    ? undefined
    : new TokenBuckets({ burst: perSecond * BURST_SECONDS, perSecond }, clock, MAX_COUNTED);
}

function tooMany(message: string): GraphQLError {
  return rateLimited(`${message} Wait a second.`, { retryAfter: RETRY_AFTER_S });
}
