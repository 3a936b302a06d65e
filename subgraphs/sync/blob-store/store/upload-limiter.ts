import { rateLimited, unavailable } from '../../../../kernel/errors.js';
import { KeyedSemaphore } from '../../../../kernel/concurrency/keyed-semaphore.js';

/**
 * Request bodies of one owner read at a time in this process: a share of the free memory, so that slow uploads of many owners
 * leave room for the next owner. And the number that may wait.
 */
const MAX_BODIES = 32;
const SHARE_OF_MEMORY = 1 / 8;
const BODIES_OF_ALL = 288;
const MAX_WAITING_BODIES = 96;

/** Maximum memory per body that is streamed: bytes that wait for the store. Each of the numbers above means bodies of this size. */
const BYTES_OF_BODY = 2 * 1024 * 1024;

/** Maximum memory for all bodies. */
const BYTES_AT_ONCE = BODIES_OF_ALL * BYTES_OF_BODY;

/** Retry-After in seconds. */
const RETRY_AFTER_S = 2;

/** Limits the number of request bodies read at a time: each holds memory as long as its client sends. */
export class UploadLimiter {
  private bytes = 0;
  private readonly semaphore = new KeyedSemaphore({ atOnce: bodiesOfOwner, waiting: MAX_WAITING_BODIES }, () =>
    rateLimited(
      `At most ${MAX_BODIES + MAX_WAITING_BODIES} uploads at once are allowed, fewer while many users upload: wait until some of them end.`,
      {
        retryAfter: RETRY_AFTER_S,
      },
    ),
  );

  /**
   * Reads a body when the owner has a free slot. @param sizeBytes undefined if unknown @param heldBytes memory for the whole body,
   * if it is not streamed @throws RATE_LIMITED at the limit of the owner, UNAVAILABLE at the total limit
   */
  read<Result>(
    ownerAddress: string,
    sizeBytes: number | undefined,
    work: () => Promise<Result>,
    heldBytes = BYTES_OF_BODY,
  ): Promise<Result> {
    const held = Math.min(sizeBytes ?? heldBytes, heldBytes);
    const permits = Math.max(1, Math.ceil(held / BYTES_OF_BODY));
    const read = async () => {
      if (this.bytes + held > BYTES_AT_ONCE)
        throw unavailable('Too many uploads at the moment: try again later.', {
          retryAfter: RETRY_AFTER_S,
        });
      this.bytes += held;
      try {
        return await work();
      } finally {
        this.bytes -= held;
      }
    };
    return this.semaphore.take(ownerAddress, read, permits);
  }
}

function bodiesOfOwner(inside: number): number {
  return Math.min(MAX_BODIES, Math.floor((BODIES_OF_ALL - inside) * SHARE_OF_MEMORY));
}
