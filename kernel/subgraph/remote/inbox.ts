import { rateLimited } from '../../errors.js';
import type { SubgraphResult } from '../subgraph-client.js';

/** Limits of the events of a subscription that its client has not read; above one of them the subscription ends. */
const LIMITS = { events: 256, bytes: 16 * 1024 * 1024 } as const;

/** The events of one subscription that arrive whether they are read or not. */
export class Inbox {
  private readonly waiting: { readonly result: SubgraphResult; readonly sizeBytes: number }[] = [];
  private waitingBytes = 0;
  private hasEnded = false;
  private failure: Error | undefined;
  private wake: (() => void) | undefined;

  /** @param onEnd is called once, when no more events are taken */
  constructor(private readonly onEnd: () => void = () => undefined) {}

  get isEnded(): boolean {
    return this.hasEnded;
  }

  /** Adds an event. Above the limits the subscription fails with RATE_LIMITED. */
  add(result: SubgraphResult): void {
    if (this.hasEnded) return;
    // An event that is read at once needs no size.
    const sizeBytes = this.wake && this.waiting.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(result));
    this.waiting.push({ result, sizeBytes });
    this.waitingBytes += sizeBytes;
    if (this.waiting.length > LIMITS.events || this.waitingBytes > LIMITS.bytes)
      this.fail(rateLimited(`More than ${LIMITS.events} events or ${LIMITS.bytes} bytes of them were not read.`));
    else this.wakeReader();
  }

  /** Ends the subscription after what is waiting, and after these errors. */
  end(errors: SubgraphResult['errors'] = []): void {
    if (this.hasEnded) return;
    if (errors.length > 0) this.waiting.push({ result: { errors }, sizeBytes: 0 });
    this.finish();
  }

  /** Ends the subscription now: its reader gets the error, and nothing that is waiting. */
  fail(error: Error): void {
    if (this.hasEnded) return;
    this.failure = error;
    this.waiting.length = 0;
    this.finish();
  }

  /** @throws the error of `fail` */
  async *read(): AsyncGenerator<SubgraphResult> {
    for (;;) {
      const next = this.waiting.shift();
      if (next) {
        this.waitingBytes -= next.sizeBytes;
        yield next.result;
      } else if (this.failure) throw this.failure;
      else if (this.hasEnded) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private finish(): void {
    this.hasEnded = true;
    this.onEnd();
    this.wakeReader();
  }

  private wakeReader(): void {
    this.wake?.();
    this.wake = undefined;
  }
}
