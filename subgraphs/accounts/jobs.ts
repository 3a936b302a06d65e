import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import type { Runtime } from '../../kernel/subgraph/context.js';
import { EXPIRE_HOLDS, HOLD_EXPIRY } from './ledger/hold/hold.actions.js';
import { PRICE_JOB } from './payments/price/price-feed.js';
import { LEDGER_PROOF } from './ledger/proof/ledger-proof.actions.js';
import { deleteOldAttempts } from './identity/rate-limit/old-attempts.js';
import { SANDBOX_CLOCK } from './sandbox/flow/clock.js';
import { SANDBOX_DELIVER } from './sandbox/webhook/delivery.actions.js';
import { deleteOldTokens } from './identity/api-token/old-tokens.js';
import { deleteOldSessions } from './identity/session/old-sessions.js';
import { deleteOldChallenges } from './sign-in/wallet/old-challenges.js';
import { rotateOldKeys } from './identity/signing-key/signing-key.actions.js';
import {
  ASSIGN_PAYMENT,
  REPLAY_EVENTS,
  REFRESH_SUBSCRIPTION,
  RECONCILE_PAYMENTS,
} from './payments/processor-events/reconciliation.actions.js';
import { DEPOSIT_JOBS } from './payments/deposit/watch/watch.js';
import { DELIVERY_JOBS } from './notifications/dispatch/delivery-jobs.js';
import type { AccountsRuntime } from './services.js';

/** Scheduled and queued jobs of this subgraph. */
export const JOBS: readonly JobDefinition<AccountsRuntime>[] = [
  EXPIRE_HOLDS,
  HOLD_EXPIRY,
  PRICE_JOB,
  LEDGER_PROOF,
  SANDBOX_CLOCK,
  SANDBOX_DELIVER,
  deleteOldSessions,
  deleteOldTokens,
  deleteOldChallenges,
  deleteOldAttempts,
  rotateOldKeys,
  ASSIGN_PAYMENT,
  REPLAY_EVENTS,
  REFRESH_SUBSCRIPTION,
  RECONCILE_PAYMENTS,
  ...DEPOSIT_JOBS,
  ...DELIVERY_JOBS,
];

/** Returns the background jobs of the accounts subgraph. */
export const jobsOf = (): readonly JobDefinition<Runtime>[] => JOBS as JobDefinition<Runtime>[];
