import { ProviderFault, type ProviderDependencies } from '../provider.js';
import { hadNoEffect, ProxmoxRefusal } from './api.js';
import type { ProxmoxHost, Send } from './creation.js';
import { recall, replaceMemory, replaceRequest, type Memory } from './memory.js';
import { outcomeOf, type Outcome } from './proxmox.rules.js';

/** Seconds until the answer to a request counts as lost: longer than the time-out of a request. */
const ANSWER_SECONDS = 20;

/** A request about to be sent. */
interface Request {
  /** The state as it was read. */
  readonly before: Memory;
  /** The reboot that it belongs to; omitted: none. */
  readonly reboot?: string | null;
  /** Seconds more than `ANSWER_SECONDS` until its answer counts as lost. */
  readonly extraSeconds?: number;
}

/** The stored state of a machine and how its last task ended. */
export interface LastTask {
  readonly memory: Memory;
  /** Undefined: it is running. */
  readonly outcome: Outcome | undefined;
  readonly exitStatus?: unknown;
}

/** Whether there is no request whose task or answer is awaited. */
export function isEnded({ task, unansweredUntil }: Pick<Memory, 'task' | 'unansweredUntil'>): boolean {
  return task === null && unansweredUntil === null;
}

/** Requests that change a machine, one at a time, and the tasks that they start. */
export class Requests {
  constructor(
    private readonly dependencies: Pick<ProviderDependencies, 'database' | 'now'>,
    private readonly host: Pick<ProxmoxHost, 'api' | 'node'>,
  ) {}

  /** Reads the last task of a machine. A machine without a task is as one whose task succeeded. */
  async last(uuid: string): Promise<LastTask> {
    const memory = await recall(this.dependencies.database, uuid);
    const { task, unansweredUntil } = memory;
    if (unansweredUntil && this.dependencies.now() < unansweredUntil) return { memory, outcome: undefined };
    if (task !== null) return { memory, ...(await this.read(task)) };
    return { memory, outcome: unansweredUntil ? 'unanswered' : 'succeeded' };
  }

  /**
   * Sends a request, unless the stored state has changed since it was read. From before it is sent, it counts as a running
   * task, so that nobody sends another one, until its answer is stored or counts as lost. No transaction is open meanwhile.
   */
  async send(uuid: string, { before, reboot = before.reboot, extraSeconds = 0 }: Request, send: Send): Promise<void> {
    const { database, now } = this.dependencies;
    const unansweredUntil = new Date(now().getTime() + (ANSWER_SECONDS + extraSeconds) * 1_000);
    const sent: Memory = { ...before, task: null, unansweredUntil, reboot };
    if (!(await replaceMemory(database, uuid, before, sent))) return;
    const task = await send().catch(async (error: unknown) => {
      if (hadNoEffect(error)) await replaceRequest(database, uuid, sent, before);
      throw error;
    });
    await replaceRequest(database, uuid, sent, { task, unansweredUntil: null, reboot });
  }

  /** Stores that no request is left to send for a reboot. */
  async skip(uuid: string, { before, reboot }: Pick<Memory, 'reboot'> & { readonly before: Memory }): Promise<void> {
    await replaceMemory(this.dependencies.database, uuid, before, { task: null, unansweredUntil: null, reboot });
  }

  /** Clears a failed task. @throws ProviderFault */
  async reportFailure(uuid: string, { memory, exitStatus }: LastTask): Promise<never> {
    await this.forget(uuid, memory);
    throw new ProviderFault('The host could not finish the operation.', {
      cause: `${memory.task} ${String(exitStatus)}`,
    });
  }

  /** Clears a task that has ended. */
  async forget(uuid: string, memory: Memory): Promise<void> {
    if (isEnded(memory)) return;
    const ended = { ...memory, task: null, unansweredUntil: null };
    await replaceRequest(this.dependencies.database, uuid, memory, ended);
  }

  private async read(task: string): Promise<Omit<LastTask, 'memory'>> {
    const { api, node } = this.host;
    const path = `nodes/${encodeURIComponent(task.split(':')[1] ?? node)}/tasks/${encodeURIComponent(task)}/status`;
    try {
      const { status, exitstatus } = await api.get(path);
      return { outcome: status === 'stopped' ? outcomeOf(exitstatus) : undefined, exitStatus: exitstatus };
    } catch (error) {
      // Proxmox deletes the logs of old tasks and refuses to tell of them. Source: pve-manager, bin/pveupdate, API2/Tasks.pm
      if (error instanceof ProxmoxRefusal && error.status === 400) return { outcome: 'succeeded' };
      throw error;
    }
  }
}
