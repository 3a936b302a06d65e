import { SingleFlight } from '../../../../kernel/concurrency/single-flight.js';

/** Milliseconds for which the plans of a read are used. */
const CACHE_TTL_MS = 60_000;

/** Whether plans that were read at a time are still used. */
export function isFresh(readAt: Date, now: Date): boolean {
  return now.getTime() - readAt.getTime() < CACHE_TTL_MS;
}

/** The reads of the processor's plans: one at a time, shared by all requests of this process. */
export class PlanReads {
  private readonly running = new SingleFlight<'plans', void>();
  private last: Date | undefined;

  /** Whether this process has read the plans within a minute, also if none was on offer. */
  isFresh(now: Date): boolean {
    return this.last !== undefined && isFresh(this.last, now);
  }

  /** Waits for the running read, or begins one. @throws what the read throws */
  join(now: Date, read: () => Promise<void>): Promise<void> {
    return this.running.join('plans', async () => {
      await read();
      this.last = now;
    });
  }
}
