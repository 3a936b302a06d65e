import { beforeEach, describe, expect, it } from '@jest/globals';
import { Subscribers } from '../../../kernel/events/sources/subscribers.js';
import { SharedSubscription, type PollOptions } from '../../../kernel/events/sources/shared-subscription.js';
import { until } from '../../kit/watch.js';

const EVERY_MS = 250;

/** A thing that is followed: its time passes when the test says so. */
class Scene {
  readonly subscribers = new Subscribers();
  readonly rests: number[] = [];
  reads = 0;
  version = 1;
  isGone = false;
  private awake: (() => void)[] = [];
  /** Reads wait for it. */
  gate: Promise<void> | undefined;

  readonly reader: SharedSubscription<{ readonly version: number }>;

  nowMs = 0;
  readMs = 0;

  constructor(options: Partial<PollOptions> = {}) {
    this.reader = new SharedSubscription({
      everyMs: EVERY_MS,
      now: () => this.nowMs,
      ...options,
      pause: (ms, signal) => {
        this.rests.push(ms);
        return new Promise((resolve) => {
          this.awake.push(resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      },
    });
  }

  follow(signal = new AbortController().signal) {
    return this.reader.follow({
      topic: 'a',
      events: { subscribe: (topics, ended) => this.subscribers.add(topics, ended) },
      read: async () => {
        this.reads++;
        this.nowMs += this.readMs;
        const { version, gate } = this;
        await gate;
        return this.isGone ? undefined : { version };
      },
      signal,
    });
  }

  /** Changes it and tells of that. */
  change(): void {
    this.version++;
    this.subscribers.deliver({ topic: 'a' });
  }

  /** The rest that is taken now is over. */
  async passRest(): Promise<void> {
    await until(async () => this.awake.length > 0);
    this.awake.shift()?.();
  }
}

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});

describe('a shared reader', () => {
  it('reads once for all who follow and gives them the same object', async () => {
    const followers = Array.from({ length: 100 }, () => scene.follow());
    const first = await Promise.all(followers.map((follower) => follower.next()));
    const nexts = followers.map((follower) => follower.next());
    scene.change();
    await scene.passRest();
    const second = await Promise.all(nexts);
    expect(new Set(first.map(({ value }) => value)).size).toBe(1);
    expect(new Set(second.map(({ value }) => value))).toEqual(new Set([{ version: 2 }]));
    expect(scene.reads).toBe(2);
  });

  it('reads once for all changes that come while it rests', async () => {
    const follower = scene.follow();
    await follower.next();
    const next = follower.next();
    for (let count = 0; count < 1000; count++) scene.change();
    await scene.passRest();
    expect((await next).value).toEqual({ version: 1001 });
    expect(scene.reads).toBe(2);
    await until(async () => scene.rests.length === 2);
    expect(Math.min(...scene.rests)).toBeGreaterThanOrEqual(EVERY_MS);
  });

  it.each([
    [10, 20],
    [400, EVERY_MS],
  ])('rests less after quick reads if it may: after %i ms for %i', async (readMs, restMs) => {
    scene = new Scene({ isShorterAfterQuickReads: true });
    scene.readMs = readMs;
    await scene.follow().next();
    await until(async () => scene.rests.length === 1);
    expect(scene.rests).toEqual([restMs]);
  });

  it('reads at once when a change comes after the rest', async () => {
    const follower = scene.follow();
    await follower.next();
    await scene.passRest();
    const next = follower.next();
    scene.change();
    expect((await next).value).toEqual({ version: 2 });
  });

  it('gives who comes later what is known, and not what is known to have changed', async () => {
    const [early, late, last] = [scene.follow(), scene.follow(), scene.follow()];
    await early.next();
    expect((await late.next()).value).toEqual({ version: 1 });
    expect(scene.reads).toBe(1);
    scene.change();
    await new Promise(setImmediate);
    const next = last.next();
    await scene.passRest();
    expect((await next).value).toEqual({ version: 2 });
  });

  it('gives who is slow the newest', async () => {
    const [slow, quick] = [scene.follow(), scene.follow()];
    await Promise.all([slow.next(), quick.next()]);
    for (let count = 0; count < 3; count++) {
      scene.change();
      await scene.passRest();
      await quick.next();
    }
    expect((await slow.next()).value).toEqual({ version: 4 });
  });

  it('ends for all when it is no more', async () => {
    const followers = [scene.follow(), scene.follow()];
    await Promise.all(followers.map((follower) => follower.next()));
    const nexts = followers.map((follower) => follower.next());
    scene.isGone = true;
    scene.change();
    await scene.passRest();
    expect((await Promise.all(nexts)).map(({ done }) => done)).toEqual([true, true]);
  });

  it('stops with the last who follows, and begins anew for the next', async () => {
    const stop = new AbortController();
    const follower = scene.follow(stop.signal);
    await follower.next();
    const next = follower.next();
    stop.abort();
    expect((await next).done).toBe(true);
    scene.change();
    expect((await scene.follow().next()).value).toEqual({ version: 2 });
    expect(scene.reads).toBe(2);
  });

  it('does not give who comes during a read what was known before', async () => {
    const early = scene.follow();
    await early.next();
    await scene.passRest();
    const { gate, open } = closedGate();
    scene.gate = gate;
    scene.change();
    await until(async () => scene.reads === 2);
    const late = scene.follow().next();
    open();
    expect((await late).value).toEqual({ version: 2 });
  });
});

describe('a shared reader that reads for joiners', () => {
  beforeEach(() => {
    scene = new Scene({ isReadForJoiners: true });
  });

  it('gives who comes later what is read anew, and tells the others nothing if it is equal', async () => {
    const early = scene.follow();
    const first = await early.next();
    const next = early.next();
    await scene.passRest();
    const late = await scene.follow().next();
    expect(late.value).toBe(first.value);
    scene.version = 2;
    await scene.passRest();
    expect((await scene.follow().next()).value).toEqual({ version: 2 });
    expect((await next).value).toEqual({ version: 2 });
    expect(scene.reads).toBe(3);
  });

  it('gives who comes during a read the next one, and reads once for all who come meanwhile', async () => {
    const { gate, open } = closedGate();
    scene.gate = gate;
    const early = scene.follow().next();
    await until(async () => scene.reads === 1);
    scene.version = 2;
    const late = Array.from({ length: 10 }, () => scene.follow().next());
    open();
    expect((await early).value).toEqual({ version: 1 });
    await scene.passRest();
    const values = (await Promise.all(late)).map(({ value }) => value);
    expect(values).toEqual(late.map(() => ({ version: 2 })));
    expect(scene.reads).toBe(2);
  });
});

function closedGate(): { readonly gate: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  return { gate, open: () => open() };
}
