import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { AccountsRuntime } from '../../services.js';
import { SEND_DELIVERY, SEND_EMAIL } from '../delivery/delivery.js';
import { PLAN_DELIVERIES } from '../notification/notification.actions.js';
import { planDeliveries, planOpenDeliveries } from './plan.actions.js';
import { attemptDelivery } from './send.actions.js';

/** Seconds between two scans for notifications created by database triggers. */
const SCAN_INTERVAL_SECONDS = 5;

/** Plans the deliveries of a new notification. A scan every 5 s plans those created by triggers or left by a crash. */
const plan: JobDefinition<AccountsRuntime> = {
  name: PLAN_DELIVERIES,
  cron: '* * * * *',
  runsAtStart: true,
  work: async ({ notificationId }, runtime) => {
    if (typeof notificationId === 'string') return planDeliveries(runtime, notificationId);
    await planOpenDeliveries(runtime);
    const startAfter = new Date(runtime.now().getTime() + SCAN_INTERVAL_SECONDS * 1000);
    await runtime.database.change((transaction) =>
      runtime.jobs.enqueue(transaction, PLAN_DELIVERIES, {}, { key: 'scan', startAfter }),
    );
  },
};

// Jobs from earlier versions have no user id; the scan enqueues their deliveries again.
const attempt: JobDefinition<AccountsRuntime>['work'] = async ({ userId, deliveryId }, runtime) => {
  if (typeof userId === 'number' && typeof deliveryId === 'string')
    await attemptDelivery(runtime, { userId, id: deliveryId });
};

const webhook: JobDefinition<AccountsRuntime> = { name: SEND_DELIVERY, queue: 'slow', work: attempt };
const email: JobDefinition<AccountsRuntime> = { name: SEND_EMAIL, queue: 'mail', work: attempt };

/** Jobs that deliver notifications by e-mail and webhook. */
export const DELIVERY_JOBS = [plan, webhook, email] as const;
