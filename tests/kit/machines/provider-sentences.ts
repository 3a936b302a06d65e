import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProviderFault } from '../../../subgraphs/infrastructure/machines/provider/provider.js';
import { repeatUntilDone, createRunning, specOf, commandTo, type ProviderFixture } from './provider-fixture.js';

/** The contract of every machine host. */
export function describeProvider(name: string, open: () => Promise<ProviderFixture>): void {
  let fixture: ProviderFixture;
  beforeAll(async () => {
    fixture = await open();
  }, 120_000);
  afterAll(() => fixture.close());

  describe(`${name}: a machine`, () => {
    it('is made, runs and has an address', async () => {
      const { uuid } = await createRunning(fixture);
      expect(await fixture.provider().observe({ uuid, ref: null })).toMatchObject({
        state: 'running',
        publicIp: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
      });
    }, 60_000);

    it('is one, however often and by however many at once it is made', async () => {
      const spec = specOf(fixture);
      const refs = await Promise.all(Array.from({ length: 6 }, () => fixture.provider().create(spec)));
      await repeatUntilDone(fixture, spec, commandTo(fixture, spec.uuid));
      expect([new Set(refs).size, await fixture.boots(spec.uuid)]).toEqual([1, 1]);
    }, 60_000);

    it('stops and starts, and again is the same', async () => {
      const { uuid } = await createRunning(fixture);
      await fixture.boots(uuid);
      const stop = commandTo(fixture, uuid);
      expect((await repeatUntilDone(fixture, 'stop', stop)).state).toBe('stopped');
      expect((await repeatUntilDone(fixture, 'stop', stop)).state).toBe('stopped');
      expect(await fixture.boots(uuid)).toBe(1);
      const start = commandTo(fixture, uuid);
      expect((await repeatUntilDone(fixture, 'start', start)).state).toBe('running');
      expect((await repeatUntilDone(fixture, 'start', start)).state).toBe('running');
      expect(await fixture.boots(uuid)).toBe(2);
    }, 60_000);

    it('reboots once for a command, however often it is told', async () => {
      const { uuid } = await createRunning(fixture);
      const first = commandTo(fixture, uuid);
      const boots: number[] = [await fixture.boots(uuid)];
      for (const command of [() => first, () => first, () => commandTo(fixture, uuid)]) {
        await repeatUntilDone(fixture, 'reboot', command());
        boots.push(await fixture.boots(uuid));
      }
      expect(boots).toEqual([1, 2, 2, 3]);
    }, 60_000);

    it('is started by a reboot when its guest is down', async () => {
      const { uuid } = await createRunning(fixture);
      await fixture.boots(uuid);
      await repeatUntilDone(fixture, 'stop', commandTo(fixture, uuid));
      await repeatUntilDone(fixture, 'reboot', commandTo(fixture, uuid));
      expect(await fixture.boots(uuid)).toBe(2);
    }, 60_000);

    it('stops though it was told to reboot a moment ago', async () => {
      const { uuid } = await createRunning(fixture);
      await fixture.provider().reboot(commandTo(fixture, uuid));
      await repeatUntilDone(fixture, 'stop', commandTo(fixture, uuid));
      await repeatUntilDone(fixture, 'start', commandTo(fixture, uuid));
      expect((await fixture.provider().observe({ uuid, ref: null })).state).toBe('running');
    }, 60_000);

    it('is destroyed for ever: nothing brings it back', async () => {
      const spec = await createRunning(fixture);
      const { uuid } = spec;
      const end = commandTo(fixture, uuid);
      expect((await repeatUntilDone(fixture, 'destroy', end)).state).toBe('gone');
      expect((await repeatUntilDone(fixture, 'destroy', end)).state).toBe('gone');
      await fixture.provider().create(spec);
      await fixture
        .provider()
        .start(commandTo(fixture, uuid))
        .catch(() => undefined);
      expect((await fixture.provider().observe({ uuid, ref: null })).state).toBe('gone');
    }, 60_000);

    it('that was never made can be destroyed, and never is', async () => {
      const spec = specOf(fixture);
      await repeatUntilDone(fixture, 'destroy', commandTo(fixture, spec.uuid));
      await fixture.provider().create(spec);
      expect((await fixture.provider().observe({ uuid: spec.uuid, ref: null })).state).toBe('gone');
    }, 60_000);

    it('is gone in the end when it is made and destroyed at once', async () => {
      const spec = specOf(fixture);
      const end = commandTo(fixture, spec.uuid);
      await Promise.allSettled([fixture.provider().create(spec), fixture.provider().destroy(end)]);
      expect((await repeatUntilDone(fixture, 'destroy', end)).state).toBe('gone');
    }, 60_000);

    it('of which nobody has heard is gone', async () => {
      const { uuid } = specOf(fixture);
      expect(await fixture.provider().observe({ uuid, ref: null })).toMatchObject({ state: 'gone', publicIp: null });
    });
  });
}

/** The contract of machine hosts that store images. */
export function describeImages(name: string, open: () => Promise<ProviderFixture>): void {
  let fixture: ProviderFixture;
  beforeAll(async () => {
    fixture = await open();
  }, 120_000);
  afterAll(() => fixture.close());

  describe(`${name}: an image that the host does not have`, () => {
    it('is a fault that an owner can read, and leaves nothing', async () => {
      const spec = specOf(fixture, { image: 'amiga' });
      const making = fixture.provider().create(spec);
      await expect(making).rejects.toThrow(ProviderFault);
      await expect(making).rejects.toThrow('The host does not have the image "amiga" yet.');
      expect((await fixture.provider().observe({ uuid: spec.uuid, ref: null })).state).toBe('gone');
    });
  });
}
