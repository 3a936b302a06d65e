import { rateLimited, unavailable } from '../../../../kernel/errors.js';
import { KeyedSemaphore } from '../../../../kernel/concurrency/keyed-semaphore.js';

/**
 * Bodies of one owner that are read at a time in this process: a part of the room that nobody has taken yet, so that however
 * many owners fill it with slow bodies, there is room for whoever comes next. And those that wait unread for one to be done.
 */
const BODIES_AT_ONCE = 32;
const PART_OF_ROOM = 1 / 8;
const BODIES_OF_ALL = 288;
const BODIES_WAITING = 96;

/** Bytes of memory that a body takes at most while it is read: what may wait for the disk. */
const BYTES_OF_BODY = 2 * 1024 * 1024;

/** Bytes of memory for all bodies together. */
const BYTES_AT_ONCE = BODIES_OF_ALL * BYTES_OF_BODY;

/** Seconds after which to try again. */
const RETRY_AFTER_S = 2;

/** Bounds how many bodies are read at a time: each holds memory as long as its client takes. */
export class UploadLimiter {
  private bytes = 0;
  private readonly turns = new KeyedSemaphore({ atOnce: bodiesOfOwner, waiting: BODIES_WAITING }, () =>
    rateLimited(
      `At most ${BODIES_AT_ONCE + BODIES_WAITING} uploads at once are allowed: wait until some of them end.`,
      {
        retryAfter: RETRY_AFTER_S,
      },
    ),
  );

  /**
   * Reads a body when it is the owner's turn. @param sizeBytes undefined where it is not known
   * @throws RATE_LIMITED when the owner has too many, UNAVAILABLE when all together have
   */
  read<Result>(ownerAddress: string, sizeBytes: number | undefined, work: () => Promise<Result>): Promise<Result> {
    return this.turns.take(ownerAddress, async () => {
      const held = Math.min(sizeBytes ?? BYTES_OF_BODY, BYTES_OF_BODY);
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
    });
  }
}

function bodiesOfOwner(inside: number): number {
  return Math.min(BODIES_AT_ONCE, Math.floor((BODIES_OF_ALL - inside) * PART_OF_ROOM));
}
