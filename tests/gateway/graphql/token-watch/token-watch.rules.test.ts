import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { on, EventEmitter } from 'node:events';
import { setImmediate as settled } from 'node:timers/promises';
import { Revocations } from '../../../../gateway/graphql/token-watch/revocations.js';
import { watchToken, type TokenViewer } from '../../../../gateway/graphql/token-watch/token-watch.js';
import { unauthenticated } from '../../../../kernel/errors.js';
import type { Viewer } from '../../../../kernel/security/viewer.js';
import type { SubgraphClient } from '../../../../kernel/subgraph/subgraph-client.js';
import { openLog } from '../../../../kernel/telemetry/log.js';
import { until } from '../../../kit/watch.js';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** The viewer of one session, by an access token that ends in so many hours. */
const viewerUntil = (hours: number): TokenViewer => ({
  kind: 'user',
  userId: 1,
  username: 'a user',
  substrateAddress: null,
  isSession: true,
  tokenId: 'one session',
  expiresAt: inHours(hours),
  roles: [],
});

let changes: EventEmitter;
let revocations: Revocations;
let lookups: number;
let closed: string[];
let listening: Promise<void>;
/** Answers the lookups that are held. */
let answer: () => void = () => undefined;
beforeEach(() => {
  [changes, lookups, closed] = [new EventEmitter(), 0, []];
  const accounts: Partial<SubgraphClient> = {
    subscribe: async (_request, signal) => reported(changes, signal),
  };
  revocations = new Revocations(accounts as SubgraphClient, openLog('silent', 'tests'));
  listening = revocations.listen();
});
afterEach(async () => {
  revocations.close();
  answer();
  await listening;
});

/** The events of accounts. */
async function* reported(source: EventEmitter, signal: AbortSignal) {
  try {
    for await (const [tokenChanged] of on(source, 'change', { signal })) yield { data: { tokenChanged } };
  } catch {
    // Aborted.
  }
}

function watch(name: string, viewer: TokenViewer, find: () => Promise<Viewer>): () => void {
  return watchToken(revocations, {
    viewer,
    findViewer: () => {
      lookups++;
      return find();
    },
    close: (reason) => closed.push(`${name} ${reason}`),
  });
}

const ended = () => Promise.reject(unauthenticated('The token is invalid, expired or revoked.'));

/** Has accounts say that any token may have changed. */
async function checkAll(): Promise<void> {
  await settled();
  changes.emit('change', null);
  await settled();
  await settled();
}

describe('connections by access tokens of one session', () => {
  it('stay open when their tokens end at different times', async () => {
    for (const hours of [1, 2]) watch(`${hours} h`, viewerUntil(hours), async () => viewerUntil(hours));
    await checkAll();
    expect({ lookups, closed }).toEqual({ lookups: 3, closed: [] });
  });

  it('stay open when the token of another one has ended', async () => {
    let isOver = false;
    watch('first', viewerUntil(1), async () => (isOver ? ended() : viewerUntil(1)));
    watch('second', viewerUntil(2), async () => viewerUntil(2));
    await settled();
    isOver = true;
    await checkAll();
    expect(closed).toEqual(['first ended']);
  });

  it('all close when it has ended', async () => {
    let isOver = false;
    for (const name of ['first', 'second'])
      watch(name, viewerUntil(1), async () => (isOver ? ended() : viewerUntil(1)));
    await settled();
    isOver = true;
    await checkAll();
    expect(closed).toEqual(['first ended', 'second ended']);
  });
});

describe('a connection that begins to be watched', () => {
  it('closes when its token was revoked since it was admitted', async () => {
    watch('it', viewerUntil(1), ended);
    await settled();
    expect(closed).toEqual(['it ended']);
  });

  it('closes when its roles have changed since then, although a lookup failed', async () => {
    watch('it', viewerUntil(1), async () => {
      if (lookups === 1) throw new Error('accounts does not answer');
      return { ...viewerUntil(1), roles: ['BETA'] };
    });
    await until(async () => closed.length > 0);
    expect(closed).toEqual(['it changed']);
  });

  it('shares a lookup with those that begin while an earlier lookup runs', async () => {
    for (let begun = 0; begun < 10; begun++)
      watch(`${begun}`, viewerUntil(1), async () => ({ ...viewerUntil(1), roles: ['BETA'] }));
    await settled();
    expect({ lookups, closed: closed.length }).toEqual({ lookups: 2, closed: 10 });
  });

  it('closes after it has begun when its token has expired, and is forgotten', async () => {
    const stop = watch('it', viewerUntil(-1), async () => viewerUntil(-1));
    expect(closed).toEqual([]);
    await until(async () => closed.length > 0);
    stop();
    await checkAll();
    expect({ lookups, closed }).toEqual({ lookups: 1, closed: ['it ended'] });
  });
});

describe('connections whose tokens are all checked', () => {
  const hold = () => new Promise<void>((resolve) => (answer = resolve));
  const tokenOf = (number: number): TokenViewer => ({ ...viewerUntil(1), tokenId: `${number}` });

  it('are looked up 100 at once', async () => {
    let held: Promise<void> | undefined;
    for (let number = 0; number < 250; number++)
      watch(`${number}`, tokenOf(number), async () => {
        await held;
        return tokenOf(number);
      });
    await settled();
    [held, lookups] = [hold(), 0];
    await checkAll();
    expect(lookups).toBe(100);
    answer();
    await until(async () => lookups === 250);
  });

  it('are checked once more after changes that are reported meanwhile', async () => {
    let held: Promise<void> | undefined;
    watch('it', tokenOf(1), async () => {
      await held;
      return tokenOf(1);
    });
    await settled();
    [held, lookups] = [hold(), 0];
    for (let report = 0; report < 3; report++) await checkAll();
    expect(lookups).toBe(1);
    answer();
    await until(async () => lookups === 2);
    await checkAll();
    expect(lookups).toBe(3);
  });

  it('close meanwhile when their token is revoked', async () => {
    let held: Promise<void> | undefined;
    let isRevoked = false;
    watch('slow', tokenOf(1), async () => {
      await held;
      return tokenOf(1);
    });
    watch('revoked', tokenOf(2), async () => {
      if (isRevoked) return ended();
      await held;
      return tokenOf(2);
    });
    await settled();
    held = hold();
    await checkAll();
    isRevoked = true;
    changes.emit('change', '2');
    await until(async () => closed.length > 0);
    expect(closed).toEqual(['revoked ended']);
  });

  it('are all checked again after a lookup has failed', async () => {
    let isFailing = false;
    for (const number of [1, 2])
      watch(`${number}`, tokenOf(number), async () => {
        if (isFailing) throw new Error('accounts does not answer');
        return { ...tokenOf(number), roles: lookups > 2 ? ['BETA'] : [] };
      });
    await settled();
    isFailing = true;
    await checkAll();
    expect(closed).toEqual([]);
    isFailing = false;
    await until(async () => closed.length === 2);
    expect(closed.toSorted()).toEqual(['1 changed', '2 changed']);
  });
});
