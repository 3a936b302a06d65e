import { describe, expect, it } from '@jest/globals';
import { readObject, type ActualObject } from '../../../subgraphs/network/drivers/netbird-objects/actual.rules.js';
import { breachesOf } from '../../../subgraphs/network/drivers/netbird-drift/isolation.rules.js';
import { errorCode } from '../../../kernel/errors.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import {
  NetbirdOutage,
  NetbirdRefusal,
  netbirdUnavailable,
} from '../../../subgraphs/network/drivers/netbird-api/netbird-api.js';
import { Backoff } from '../../../subgraphs/network/drivers/netbird-api/backoff.rules.js';
import {
  fieldsHash,
  planKind,
  type KnownObject,
} from '../../../subgraphs/network/drivers/netbird-objects/plan.rules.js';
import type { DesiredObject } from '../../../subgraphs/network/drivers/netbird-objects/desired.rules.js';

describe('patience with a server that fails', () => {
  it('doubles with each failure, up to a minute', () => {
    const backoff = new Backoff();
    let nowMs = 0;
    const pauses = Array.from({ length: 8 }, () => {
      backoff.failed(nowMs);
      const pauseMs = backoff.pauseMs(nowMs);
      nowMs += pauseMs;
      return pauseMs;
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('counts requests that were under way together as one failure, and begins anew after an answer', () => {
    const backoff = new Backoff();
    for (const nowMs of [0, 1, 2]) backoff.failed(nowMs);
    expect(backoff.pauseMs(2)).toBe(998);
    backoff.succeeded(1_000);
    backoff.failed(1_000);
    expect(backoff.pauseMs(1_000)).toBe(1_000);
  });

  it.each([
    ['7', 7_000],
    ['999999', 60_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
    ['-1', 0],
    [null, 0],
  ])('lasts as long as the server asks for: %j', (header, pauseMs) => {
    const backoff = new Backoff();
    backoff.applyRetryAfter(header, 0);
    expect(backoff.pauseMs(0)).toBe(pauseMs);
  });

  it('is not ended by an answer to what was asked before', () => {
    const backoff = new Backoff();
    backoff.applyRetryAfter('5', 0);
    backoff.succeeded(10);
    expect(backoff.pauseMs(10)).toBe(4_990);
  });
});

describe('a failure of the server, for users', () => {
  it.each([
    [new NetbirdOutage('POST /api/groups: no response'), 'cannot be reached'],
    [new NetbirdRefusal(422, 'POST /api/groups: NetBird answers 422'), 'refused the request'],
  ])('says what happened without the details of the log: %s', (error, words) => {
    const shown = netbirdUnavailable(error, openLog('silent', 'test'));
    expect({ code: errorCode(shown), message: shown.message }).toEqual({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(`^The network’s management server ${words}; `),
    });
    expect(shown.message).not.toContain('/api/');
  });
});

describe('a policy of somebody else', () => {
  const rule = { enabled: true, action: 'accept', sources: [{ name: 'All' }], destinations: [{ name: 'All' }] };
  const policy = { name: 'Default', enabled: true, rules: [rule] };

  it('is a breach when it opens all machines to all', () => {
    expect(breachesOf([policy], 'arp')).toEqual(['Default']);
  });

  it.each([
    { ...policy, enabled: false },
    { ...policy, rules: [{ ...rule, enabled: false }] },
    { ...policy, rules: [{ ...rule, action: 'drop' }] },
    { ...policy, rules: [{ ...rule, sources: [{ name: 'operators' }] }] },
    { ...policy, rules: [{ ...rule, destinations: null }] },
    { ...policy, rules: null },
  ])('is none when it is %j', (other) => {
    expect(breachesOf([other], 'arp')).toEqual([]);
  });
});

describe('a plan', () => {
  const at = new Date('2026-11-21T12:00:00Z');
  const [before, after] = [new Date(at.getTime() - 1), new Date(at.getTime() + 1)];
  const group = (id: number, name: string): DesiredObject => ({
    kind: 'group',
    id,
    parentId: null,
    fields: { name, peers: [] },
  });
  const actual = (id: string, name: string, peers: string[] = []): ActualObject =>
    readObject('group', { id, name, peers: peers.map((peer) => ({ id: peer })), resources: null });
  const row = (id: number, externalId: string, name: string, sentAt = before): KnownObject => {
    const hash = fieldsHash({ name, peers: [] });
    return { kind: 'group', id, externalId, parentId: null, sentHash: hash, answeredHash: hash, sentAt };
  };
  const plan = (desired: DesiredObject[], known: KnownObject[], there: ActualObject[]) =>
    planKind(desired, new Map(known.map((each) => [each.id, each])), {
      actual: there,
      ids: new Set(desired.map(({ id }) => id)),
      isSettled: ({ sentAt }) => sentAt < at,
      isOurs: () => false,
    });

  it('is empty where all is as it was left', () => {
    const nothing = { writes: [], removals: [], forgotten: [] };
    expect(plan([group(1, 'a')], [row(1, 'x', 'a')], [actual('x', 'a')])).toEqual(nothing);
  });

  it('takes an object for ours whose answer was lost, once, and removes its twins', () => {
    const { writes, removals } = plan([group(1, 'a')], [], [actual('x', 'a'), actual('y', 'a')]);
    expect(writes).toMatchObject([{ externalId: 'y', drift: undefined }]);
    expect(removals).toMatchObject([{ externalId: 'x', drift: 'added' }]);
  });

  it.each([
    ['changed', [actual('x', 'a', ['stranger'])], { externalId: 'x', drift: 'changed' }],
    ['renamed', [actual('x', 'b')], { externalId: 'x', drift: 'changed' }],
    ['deleted', [], { externalId: 'x', drift: 'deleted' }],
  ])('repairs what somebody %s', (_, there, step) => {
    expect(plan([group(1, 'a')], [row(1, 'x', 'a')], there).writes).toMatchObject([step]);
  });

  it('leaves alone what was sent after the server was read', () => {
    const { writes, forgotten } = plan([group(1, 'a')], [row(1, 'x', 'a', after), row(2, 'y', 'b', after)], []);
    expect([writes, forgotten]).toEqual([[], []]);
  });

  it('removes what the graph has no more, without calling it drift', () => {
    expect(plan([], [row(1, 'x', 'a')], [actual('x', 'a')])).toMatchObject({
      writes: [],
      removals: [{ externalId: 'x', drift: undefined }],
      forgotten: [1],
    });
  });
});
