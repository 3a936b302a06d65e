import { rateLimited, unavailable } from '../../../../kernel/errors.js';
import { KeyedSemaphore } from '../../../../kernel/concurrency/keyed-semaphore.js';

/** Downloads of one owner at once in this process: a share of those that are free, so that the next owner finds some. */
const MAX_DOWNLOADS = 96;
const SHARE_OF_DOWNLOADS = 0.43;

/** Maximum downloads of all owners: below the connections to a bucket, as each holds one while its client reads slowly. */
const DOWNLOADS_AT_ONCE = 320;

/** Chunks of one permit: a download keeps the key and the hash of each until it ends, 384 KiB for this number. */
const CHUNKS_OF_PERMIT = 8_192;

/** Retry-After in seconds. */
const RETRY_AFTER_S = 2;

/**
 * Limits the number of downloads at a time: each holds a connection or a file as long as its client reads. None waits: it would keep
 * other requests of its owner waiting.
 */
export class DownloadLimiter {
  private readonly semaphore = new KeyedSemaphore({ atOnce: downloadsOfOwner, waiting: 0 }, () =>
    rateLimited(
      `At most ${MAX_DOWNLOADS} downloads at once are allowed, fewer while many users download, and of files of many thousand chunks: wait until some of them end.`,
      { retryAfter: RETRY_AFTER_S },
    ),
  );

  /**
   * Begins a download of this number of chunks. @returns a function that ends it @throws RATE_LIMITED at the limit of the owner,
   * UNAVAILABLE at the total limit
   */
  async enter(ownerAddress: string, chunks = 1): Promise<() => void> {
    const leave = await this.semaphore.enter(ownerAddress, Math.ceil(chunks / CHUNKS_OF_PERMIT));
    if (this.semaphore.held <= DOWNLOADS_AT_ONCE) return leave;
    leave();
    throw unavailable('Too many downloads at the moment: try again later.', { retryAfter: RETRY_AFTER_S });
  }
}

function downloadsOfOwner(inside: number): number {
  return Math.min(MAX_DOWNLOADS, Math.floor((DOWNLOADS_AT_ONCE - inside) * SHARE_OF_DOWNLOADS));
}
