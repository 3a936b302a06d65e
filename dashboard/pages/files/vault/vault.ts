import type { Access, Order, Report, Task } from './vault-tasks';

/** How a task reports its progress, and the signal that stops it. */
export interface Following {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

interface Waiting extends Following {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A task that failed. */
export class TaskError extends Error {
  constructor(
    message: string,
    /** Code of the platform; `NETWORK` without an answer. */
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/** Does a task in the worker, so that encryption never holds up the page. @throws TaskError with the sentence of what failed */
export function inVault(access: Access, task: Task, following: Following = {}): Promise<unknown> {
  const id = (lastId += 1);
  return new Promise((resolve, reject) => {
    waiting.set(id, { ...following, resolve, reject });
    following.signal?.addEventListener('abort', () => send({ id, stop: true }), { once: true });
    send({ id, access, task });
  });
}

/** Makes the worker forget the keys of folders. */
export function forgetKeys(): void {
  worker?.postMessage({ forget: true } satisfies Order, []);
}

function send(order: Order): void {
  worker ??= start();
  worker.postMessage(order, []);
}

function start(): Worker {
  const started = new Worker(new URL('vault.worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<Report>) => receive(data));
  started.addEventListener('error', () => {
    worker = undefined;
    for (const { reject } of waiting.values())
      reject(new Error('The encryption could not be started; reload the page.'));
    waiting.clear();
  });
  return started;
}

function receive(report: Report): void {
  const task = waiting.get(report.id);
  if ('done' in report) return task?.onProgress?.(report.done, report.total);
  waiting.delete(report.id);
  if ('problem' in report) task?.reject(new TaskError(report.problem, report.code));
  else task?.resolve(report.result);
}
