import { describe, expect, it } from '@jest/globals';
import { ownerNotices, type NetworkEvent } from '../../../subgraphs/network/notices/owner-notice/owner-notice.rules.js';

const peer = (what: 'joined' | 'offline' | 'ending', label: string): NetworkEvent => ({ kind: 'peer', what, label });

describe('the notifications of a network', () => {
  it('are none without events', () => {
    expect(ownerNotices([])).toEqual([]);
  });

  it('count events of several sorts, and name each peer once', () => {
    const events = [peer('joined', 'a'), peer('offline', 'b'), peer('offline', 'c'), peer('joined', 'a')];
    expect(ownerNotices(events)).toEqual([
      { kind: 'peer', title: 'Peers: 1 joined, 2 offline', text: 'Joined: a. No report for 10 minutes: b, c.' },
    ]);
  });

  it('are one for peers and one for policies', () => {
    const events: NetworkEvent[] = [{ kind: 'policy', what: 'deleted', label: 'web' }, peer('ending', 'edge')];
    expect(ownerNotices(events)).toEqual([
      {
        kind: 'peer',
        title: 'Peer edge has a certificate that ends soon',
        text: 'Certificate ends within a day: edge.',
        severity: 'warning',
      },
      { kind: 'policy', title: 'Policy web was deleted', text: 'Deleted by your account: web.' },
    ]);
  });
});
