import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProviderFault } from '../../../subgraphs/infrastructure/machines/provider/provider.js';
import { repeatUntilDone, createRunning, specOf, commandTo, type ProviderFixture } from './provider-fixture.js';

/** The contract of every machine host. */
export function describeProvider(name: string, open: () => Promise<ProviderFixture>): void {
  let stage: ProviderFixture;
  beforeAll(async () => {
    stage = await open();
  }, 120_000);
  afterAll(() => stage.close());

  describe(`${name}: a machine`, () => {
    it('is made, runs and has an address', async () => {
      const { uuid } = await createRunning(stage);
      expect(await stage.provider().observe({ uuid, ref: null })).toMatchObject({
        state: 'running',
        publicIp: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
      });
    }, 60_000);

    it('is one, however often and by however many at once it is made', async () => {
      const spec = specOf(stage);
      const refs = await Promise.all(Array.from({ length: 6 }, () => stage.provider().create(spec)));
      await repeatUntilDone(stage, spec, commandTo(stage, spec.uuid));
      expect([new Set(refs).size, await stage.boots(spec.uuid)]).toEqual([1, 1]);
    }, 60_000);

    it('stops and starts, and again is the same', async () => {
      const { uuid } = await createRunning(stage);
      await stage.boots(uuid);
      const stop = commandTo(stage, uuid);
      expect((await repeatUntilDone(stage, 'stop', stop)).state).toBe('stopped');
      expect((await repeatUntilDone(stage, 'stop', stop)).state).toBe('stopped');
      expect(await stage.boots(uuid)).toBe(1);
      const start = commandTo(stage, uuid);
      expect((await repeatUntilDone(stage, 'start', start)).state).toBe('running');
      expect((await repeatUntilDone(stage, 'start', start)).state).toBe('running');
      expect(await stage.boots(uuid)).toBe(2);
    }, 60_000);

    it('reboots once for a command, however often it is told', async () => {
      const { uuid } = await createRunning(stage);
      const first = commandTo(stage, uuid);
      const boots: number[] = [await stage.boots(uuid)];
      for (const command of [() => first, () => first, () => commandTo(stage, uuid)]) {
        await repeatUntilDone(stage, 'reboot', command());
        boots.push(await stage.boots(uuid));
      }
      expect(boots).toEqual([1, 2, 2, 3]);
    }, 60_000);

    it('is started by a reboot when its guest is down', async () => {
      const { uuid } = await createRunning(stage);
      await stage.boots(uuid);
      await repeatUntilDone(stage, 'stop', commandTo(stage, uuid));
      await repeatUntilDone(stage, 'reboot', commandTo(stage, uuid));
      expect(await stage.boots(uuid)).toBe(2);
    }, 60_000);

    it('stops though it was told to reboot a moment ago', async () => {
      const { uuid } = await createRunning(stage);
      await stage.provider().reboot(commandTo(stage, uuid));
      await repeatUntilDone(stage, 'stop', commandTo(stage, uuid));
      await repeatUntilDone(stage, 'start', commandTo(stage, uuid));
      expect((await stage.provider().observe({ uuid, ref: null })).state).toBe('running');
    }, 60_000);

    it('is destroyed for ever: nothing brings it back', async () => {
      const spec = await createRunning(stage);
      const { uuid } = spec;
      const end = commandTo(stage, uuid);
      expect((await repeatUntilDone(stage, 'destroy', end)).state).toBe('gone');
      expect((await repeatUntilDone(stage, 'destroy', end)).state).toBe('gone');
      await stage.provider().create(spec);
      await stage
        .provider()
        .start(commandTo(stage, uuid))
        .catch(() => undefined);
      expect((await stage.provider().observe({ uuid, ref: null })).state).toBe('gone');
    }, 60_000);

    it('that was never made can be destroyed, and never is', async () => {
      const spec = specOf(stage);
      await repeatUntilDone(stage, 'destroy', commandTo(stage, spec.uuid));
      await stage.provider().create(spec);
      expect((await stage.provider().observe({ uuid: spec.uuid, ref: null })).state).toBe('gone');
    }, 60_000);

    it('is gone in the end when it is made and destroyed at once', async () => {
      const spec = specOf(stage);
      const end = commandTo(stage, spec.uuid);
      await Promise.allSettled([stage.provider().create(spec), stage.provider().destroy(end)]);
      expect((await repeatUntilDone(stage, 'destroy', end)).state).toBe('gone');
    }, 60_000);

    it('of which nobody has heard is gone', async () => {
      const { uuid } = specOf(stage);
      expect(await stage.provider().observe({ uuid, ref: null })).toMatchObject({ state: 'gone', publicIp: null });
    });
  });
}

/** The contract of machine hosts that store images. */
export function describeImages(name: string, open: () => Promise<ProviderFixture>): void {
  let stage: ProviderFixture;
  beforeAll(async () => {
    stage = await open();
  }, 120_000);
  afterAll(() => stage.close());

  describe(`${name}: an image that the host does not have`, () => {
    it('is a fault that an owner can read, and leaves nothing', async () => {
      const spec = specOf(stage, { image: 'amiga' });
      const making = stage.provider().create(spec);
      await expect(making).rejects.toThrow(ProviderFault);
      await expect(making).rejects.toThrow('The host does not have the image "amiga" yet.');
      expect((await stage.provider().observe({ uuid: spec.uuid, ref: null })).state).toBe('gone');
    });
  });
}
