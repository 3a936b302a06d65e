import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../../../kernel/database/database.js';
import type { JobDefinition, Jobs } from '../../../../kernel/jobs/jobs.js';
import { NOTIFY_USER } from '../../calls.js';
import type { InfrastructureRuntime } from '../../services.js';
import type { InstanceState } from './instance.js';

const KINDS = ['low_credit', 'zero_balance', 'machine'] as const;

/** Notifies the owner of a machine, once per key. */
export const NOTIFY_VM_OWNER: JobDefinition<InfrastructureRuntime> = {
  name: 'tell-vm-owner',
  async work({ userId, kind, key, title, text, link, severity }, { callSubgraph }) {
    const notice = {
      key: String(key),
      title: String(title),
      text: String(text),
      link: typeof link === 'string' ? link : '/machines',
      severity: severity === 'critical' ? severity : null,
    } as const;
    const word = KINDS.find((one) => one === kind);
    if (!word) throw new Error(`unknown kind of notification: ${String(kind)}`);
    await callSubgraph(NOTIFY_USER, { userId: Number(userId), kind: word, ...notice }, randomUUID());
  },
};

/** The states that the owner is notified of, in words. */
const NOTICES: Partial<Record<InstanceState, readonly [title: string, text: string]>> = {
  running: ['is running', 'runs and can be reached.'],
  stopped: ['is stopped', 'is stopped; its disk is kept.'],
  failed: ['has failed', 'has failed and cannot be used; terminate it.'],
};

interface Moved {
  readonly userId: number;
  readonly uuid: string;
  readonly name: string;
  readonly revision: number;
}

/** Tells the owner that a machine runs, is stopped or has failed; once for each transition. */
export async function enqueueStateNotice(
  transaction: Transaction,
  jobs: Jobs,
  { userId, uuid, name, revision }: Moved,
  state: InstanceState,
): Promise<void> {
  const words = NOTICES[state];
  if (!words) return;
  const [title, text] = words;
  const key = `vm-state:${uuid}:${revision}`;
  const notice = {
    userId,
    kind: 'machine',
    key,
    title: `${name} ${title}`,
    text: `The virtual machine ${name} ${text}`,
    ...(state === 'failed' && { severity: 'critical' }),
  };
  await jobs.enqueue(transaction, NOTIFY_VM_OWNER.name, { ...notice, link: `/machines/${uuid}` }, { key });
}
