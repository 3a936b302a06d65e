import type { TestClock } from './provider-fixture.js';

/** Milliseconds that a task waits for the lock of its machine. Source: pve-guest-common, AbstractConfig, lock_config */
const LOCK_TIMEOUT_MS = 10_000;

interface Task {
  readonly vmid: number;
  readonly endsMs: number;
  /** Called when the task ends. @returns its exit status */
  readonly finish: () => string;
  exit?: string;
}

/** What a task does at its end. An error is its exit status. */
interface Work {
  readonly finish: () => unknown;
  readonly undo?: () => unknown;
}

/** The tasks of a node `pve`. Those of one machine run one after another. */
export class ProxmoxTasks {
  /** Overrides the exit status of the next task. */
  nextExit: string | undefined;
  /** Duration of a task in milliseconds. */
  taskMs = 3_000;
  private readonly tasks = new Map<string, Task>();
  private count = 0;

  constructor(private readonly clock: Pick<TestClock, 'nowMs'>) {}

  /** @param vmid 0: none */
  start(kind: string, vmid: number, { finish, undo }: Work): string {
    const upid = `UPID:pve:0000${this.count++}:00000000:65000000:${kind}:${vmid}:cloud@pve!archipelago:`;
    const now = this.clock.nowMs;
    const freeMs = Math.max(
      now,
      ...[...this.tasks.values()]
        .filter((task) => task.vmid === vmid && vmid !== 0 && task.exit === undefined)
        .map(({ endsMs }) => endsMs),
    );
    const isFree = freeMs - now <= LOCK_TIMEOUT_MS;
    const exit = isFree ? this.nextExit : "can't lock file '/var/lock/qemu-server' - got timeout";
    this.nextExit = undefined;
    this.tasks.set(upid, {
      vmid,
      endsMs: isFree ? freeMs + this.taskMs : now + LOCK_TIMEOUT_MS,
      finish: () => {
        if (exit === undefined) return exitOf(finish);
        undo?.();
        return exit;
      },
    });
    return upid;
  }

  /** @returns undefined: there is no such task */
  status(upid: string): unknown {
    const task = this.tasks.get(upid);
    if (!task) return undefined;
    return task.exit === undefined ? { upid, status: 'running' } : { upid, status: 'stopped', exitstatus: task.exit };
  }

  /** Ends the tasks that are due. */
  settle(): void {
    for (const task of this.tasks.values())
      if (task.exit === undefined && task.endsMs <= this.clock.nowMs) task.exit = task.finish();
  }

  /** Deletes the logs of old tasks. Source: pve-manager, bin/pveupdate, cleanup_tasks */
  deleteLogs(): void {
    this.settle();
    for (const [upid, { exit }] of this.tasks) if (exit !== undefined) this.tasks.delete(upid);
  }
}

function exitOf(finish: () => unknown): string {
  try {
    finish();
    return 'OK';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
