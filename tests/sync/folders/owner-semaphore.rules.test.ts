import { describe, expect, it } from '@jest/globals';
import { openOwnerSemaphore } from '../../../subgraphs/sync/folders/owner/owner-semaphore.js';

describe('the transactions of an owner', () => {
  it('wait, 500 of them; one more is refused with 429, and those of another owner are not', async () => {
    const semaphore = openOwnerSemaphore();
    let end = () => undefined as void;
    const isOver = new Promise<void>((resolve) => (end = resolve));
    const taken = Array.from({ length: 504 }, () => semaphore.take('owner', () => isOver));
    await expect(semaphore.take('owner', () => isOver)).rejects.toMatchObject({
      extensions: { code: 'RATE_LIMITED', retryAfter: 2 },
    });
    expect(await semaphore.take('another', async () => 'done')).toBe('done');
    end();
    expect(await Promise.all(taken)).toHaveLength(504);
  });
});
