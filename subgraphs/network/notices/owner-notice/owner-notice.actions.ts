import { randomUUID } from 'node:crypto';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import { NOTIFY_USER } from '../../calls.js';
import { forEachTenant } from '../../graph/tenant/for-each-tenant.js';
import type { NetworkRuntime } from '../../services.js';
import { claimEvents, dueTenants, holdDueTenant, startWindow } from './events.actions.js';
import { isEventKind, ownerNotices } from './owner-notice.rules.js';

const SEND = 'send-network-notice';

/**
 * Notifies the owners of networks about their peers and policies. The events of a network are claimed in the transaction
 * that enqueues the notification, so that each is in one notification, also after `kill -9`.
 */
export async function notifyOwners({ database, jobs, now }: Pick<NetworkRuntime, 'database' | 'jobs' | 'now'>) {
  const at = now();
  await forEachTenant(await dueTenants(database, at), (tenantId) =>
    database.change(async (transaction) => {
      const userId = await holdDueTenant(transaction, tenantId, at);
      if (userId === undefined) return;
      const notices = ownerNotices(await claimEvents(transaction, tenantId, at));
      if (notices.length > 0) await startWindow(transaction, tenantId, at);
      for (const notice of notices) {
        const key = `network-${notice.kind}:${tenantId}:${at.toISOString()}`;
        await jobs.enqueue(transaction, SEND, { userId, key, ...notice }, { key });
      }
    }),
  );
}

export const NOTIFY_NETWORK_OWNERS: JobDefinition<NetworkRuntime> = {
  name: 'notify-network-owners',
  cron: '* * * * *',
  runsAtStart: true,
  work: (_, runtime) => notifyOwners(runtime),
};

export const SEND_NETWORK_NOTICE: JobDefinition<NetworkRuntime> = {
  name: SEND,
  async work({ userId, kind, key, title, text, severity }, { callSubgraph }) {
    if (!isEventKind(kind)) throw new Error(`a job names the unknown kind of event ${String(kind)}`);
    const notice = {
      key: String(key),
      title: String(title),
      text: String(text),
      link: '/network',
      severity: severity === 'warning' ? severity : null,
    } as const;
    await callSubgraph(NOTIFY_USER, { userId: Number(userId), kind, ...notice }, randomUUID());
  },
};
