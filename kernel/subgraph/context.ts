import type { Database } from '../database/database.js';
import type { Events } from '../events/events.js';
import type { Jobs } from '../jobs/jobs.js';
import type { Logger } from '../telemetry/log.js';
import type { CallSubgraph } from './call-subgraph.js';
import type { Viewer } from '../security/viewer.js';

/** The dependencies of a running subgraph. */
export interface Runtime<Services = unknown> {
  readonly database: Database;
  readonly events: Events;
  readonly jobs: Jobs;
  /** The services that the subgraph opened at start, e.g. the client of a payment processor. */
  readonly services: Services;
  /** Calls other subgraphs by named operations, as the platform. */
  readonly callSubgraph: CallSubgraph;
  readonly now: () => Date;
  /** The address that clients see, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Logger;
}

/** The context of a resolver: the runtime and the request. */
export interface Context<Services = unknown> extends Runtime<Services> {
  readonly viewer: Viewer;
  /** The IP address of the client; empty for calls of the platform. */
  readonly clientAddress: string;
  /** The User-Agent header of the client; undefined without one and for calls of the platform. */
  readonly userAgent: string | undefined;
  readonly requestId: string;
  /** Whether storage is free of charge in this request. */
  readonly isBillingBypassed: boolean;
  /** Aborted when the client of a subscription or a download disconnects. */
  readonly signal: AbortSignal;
  /** The state from which a subscription continues: see `inState`. Undefined: it starts. */
  readonly resumeFrom: string | undefined;
}
