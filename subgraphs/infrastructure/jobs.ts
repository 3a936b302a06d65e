import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import { SETTLE_INSTANCE, SETTLE_INSTANCES } from './machines/billing/settle.actions.js';
import { NOTIFY_VM_OWNER } from './machines/instance/owner-notice.actions.js';
import { REMOVE_BUCKETS } from './storage/bucket/delete.actions.js';
import { CHECK_POLICIES, WRITE_POLICIES } from './storage/bucket/policy.actions.js';
import { END_CERTIFICATES } from './certificates/revoke.actions.js';
import { NOTIFY_CERTIFICATE_OWNER, WATCH_CERTIFICATES } from './certificates/watch.actions.js';
import { RECONCILE_INSTANCE } from './machines/instance/reconcile.actions.js';
import { POLL_INSTANCE, WATCH_INSTANCES } from './machines/instance/watch.actions.js';
import { CRAWL_MODELS } from './models/crawl/crawl.actions.js';
import { POLL_MODEL } from './models/index/poll.actions.js';
import type { InfrastructureRuntime } from './services.js';

/** Scheduled and queued jobs of this subgraph. */
export const JOBS: readonly JobDefinition<InfrastructureRuntime>[] = [
  RECONCILE_INSTANCE,
  POLL_INSTANCE,
  SETTLE_INSTANCE,
  NOTIFY_VM_OWNER,
  WATCH_INSTANCES,
  SETTLE_INSTANCES,
  POLL_MODEL,
  CRAWL_MODELS,
  END_CERTIFICATES,
  WATCH_CERTIFICATES,
  NOTIFY_CERTIFICATE_OWNER,
  WRITE_POLICIES,
  CHECK_POLICIES,
  REMOVE_BUCKETS,
];
