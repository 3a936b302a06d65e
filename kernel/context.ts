import type { Database } from './database.js';
import type { Events } from './events.js';
import type { Logger } from './log.js';
import type { Ask } from './ask.js';
import type { Viewer } from './viewer.js';

/** What a subgraph holds for as long as it runs. */
export interface Runtime {
  readonly database: Database;
  readonly events: Events;
  /** How it asks other subgraphs: by named operations, as the platform. */
  readonly ask: Ask;
  readonly now: () => Date;
  /** The address clients see, without a trailing slash. */
  readonly publicUrl: string;
  readonly log: Logger;
}

/** What a resolver is given: the runtime and the request at hand. */
export interface Context extends Runtime {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** Aborted when nobody reads a subscription any more. */
  readonly signal: AbortSignal;
}
