import { describe, expect, it } from '@jest/globals';
import { setImmediate as settled } from 'node:timers/promises';
import { ViewerQueue } from '../../../gateway/graphql/viewer-queue.js';
import { ANONYMOUS, type Viewer } from '../../../kernel/security/viewer.js';

const token = { tokenId: 'one', expiresAt: null, roles: [] };
const user = (userId: number): Viewer => ({
  kind: 'user',
  userId,
  username: 'a user',
  substrateAddress: null,
  ...token,
});

/** Work of which it is counted how much runs at a time, and that ends when told so. */
function work() {
  const ends: (() => void)[] = [];
  const begin = () => new Promise<void>((resolve) => ends.push(resolve));
  return { begin, running: () => ends.length, end: () => ends.splice(0).forEach((end) => end()) };
}

describe('the turns of a viewer', () => {
  it('are eight at a time, a thousand wait, more are refused; those of others are not touched', async () => {
    const viewerQueue = new ViewerQueue();
    const { begin, running, end } = work();
    const all = Array.from({ length: 1008 }, () => viewerQueue.take(user(1), begin));
    await settled();
    expect(running()).toBe(8);
    await expect(viewerQueue.take(user(1), begin)).rejects.toMatchObject({
      extensions: { code: 'RATE_LIMITED', retryAfter: 2 },
    });
    for (const other of [user(2), ANONYMOUS]) expect(await viewerQueue.take(other, async () => 'done')).toBe('done');
    for (let ended = 0; ended < all.length; ended += 8) {
      end();
      await settled();
    }
    await Promise.all(all);
  });

  it('are more for a service, none for whoever is not signed in', async () => {
    const viewerQueue = new ViewerQueue();
    const begun = async (viewer: Viewer) => {
      const { begin, running } = work();
      for (const _ of Array(100)) void viewerQueue.take(viewer, begin);
      await settled();
      return running();
    };
    expect([await begun({ kind: 'service', name: 'a service', ...token }), await begun(ANONYMOUS)]).toEqual([64, 100]);
  });

  it('of a service wait up to ten thousand, and more are refused', async () => {
    const viewerQueue = new ViewerQueue();
    const service: Viewer = { kind: 'service', name: 'a service', ...token };
    const { begin, end } = work();
    const all = Array.from({ length: 10_064 }, () => viewerQueue.take(service, begin));
    const refused = { extensions: { code: 'RATE_LIMITED', retryAfter: 2 } };
    await expect(viewerQueue.take(service, begin)).rejects.toMatchObject(refused);
    for (let ended = 0; ended < all.length; ended += 64) {
      end();
      await settled();
    }
    await Promise.all(all);
  });
});
