import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import { SETTLE_INSTANCE, SETTLE_INSTANCES } from './machines/billing/settle.actions.js';
import { TELL_VM_OWNER } from './machines/billing/warning.actions.js';
import { CHECK_POLICIES, WRITE_POLICIES } from './storage/bucket/policy.actions.js';
import { END_CERTIFICATES } from './certificates/revoke.actions.js';
import { TELL_CERTIFICATE_OWNER, WATCH_CERTIFICATES } from './certificates/watch.actions.js';
import { DRIVE_INSTANCE } from './machines/instance/reconcile.actions.js';
import { LOOK_AT_INSTANCE, WATCH_INSTANCES } from './machines/instance/watch.actions.js';
import { CRAWL_MODELS } from './models/crawl/crawl.actions.js';
import { LOOK_AT_MODEL } from './models/index/poll.actions.js';
import type { InfrastructureRuntime } from './services.js';

/** Scheduled and queued jobs of this subgraph. */
export const JOBS: readonly JobDefinition<InfrastructureRuntime>[] = [
  DRIVE_INSTANCE,
  LOOK_AT_INSTANCE,
  SETTLE_INSTANCE,
  TELL_VM_OWNER,
  WATCH_INSTANCES,
  SETTLE_INSTANCES,
  LOOK_AT_MODEL,
  CRAWL_MODELS,
  END_CERTIFICATES,
  WATCH_CERTIFICATES,
  TELL_CERTIFICATE_OWNER,
  WRITE_POLICIES,
  CHECK_POLICIES,
];
