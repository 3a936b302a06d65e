import type { Database } from '../database/database.js';
import type { Events } from '../events/events.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Logger } from '../telemetry/log.js';
import type { CallSubgraph } from './call-subgraph.js';
import type { Viewer } from '../viewer.js';

/** What a subgraph holds for as long as it runs. */
export interface Runtime<Services = unknown> {
  readonly database: Database;
  readonly events: Events;
  readonly jobs: Jobs;
  /** What the subgraph made of its settings at start, e.g. the way to a payment processor. */
  readonly services: Services;
  /** How it asks other subgraphs: by named operations, as the platform. */
  readonly ask: CallSubgraph;
  readonly now: () => Date;
  /** The address clients see, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Logger;
}

/** What a resolver is given: the runtime and the request at hand. */
export interface Context<Services = unknown> extends Runtime<Services> {
  readonly viewer: Viewer;
  /** Whose address the request comes from; empty where a part of the platform asks. */
  readonly clientAddress: string;
  readonly requestId: string;
  /** Whether what is stored is not held against the owner's balance. */
  readonly isBillingBypassed: boolean;
  /** Aborted when nobody reads a subscription any more, or waits for bytes. */
  readonly signal: AbortSignal;
}
