import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { AccountsRuntime } from '../../services.js';
import { SEND_DELIVERY, SEND_EMAIL } from '../delivery/delivery.js';
import { PLAN_DELIVERIES } from '../notification/notification.actions.js';
import { planDeliveries, reviveDeliveries } from './plan.actions.js';
import { attemptDelivery } from './send.actions.js';

/** Seconds between two looks for what the ledger told by itself. */
const SWEEP_SECONDS = 5;

/** Plans what was just told; every few seconds also what the ledger told by itself and what a crash left behind. */
const plan: JobDefinition<AccountsRuntime> = {
  name: PLAN_DELIVERIES,
  cron: '* * * * *',
  runsAtStart: true,
  work: async ({ notificationId }, runtime) => {
    if (typeof notificationId === 'string') return planDeliveries(runtime, notificationId);
    await planDeliveries(runtime, undefined);
    await reviveDeliveries(runtime);
    const startAfter = new Date(runtime.now().getTime() + SWEEP_SECONDS * 1000);
    await runtime.database.change((transaction) =>
      runtime.jobs.enqueue(transaction, PLAN_DELIVERIES, {}, { key: 'sweep', startAfter }),
    );
  },
};

const attempt: JobDefinition<AccountsRuntime>['work'] = async ({ deliveryId }, runtime) => {
  if (typeof deliveryId === 'string') await attemptDelivery(runtime, deliveryId);
};

const post: JobDefinition<AccountsRuntime> = { name: SEND_DELIVERY, lane: 'slow', work: attempt };
const email: JobDefinition<AccountsRuntime> = { name: SEND_EMAIL, lane: 'mail', work: attempt };

/** The jobs by which notifications reach those who do not look. */
export const DELIVERY_JOBS = [plan, post, email] as const;
