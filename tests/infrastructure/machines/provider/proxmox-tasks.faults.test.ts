import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { commandTo, createRunning, repeatUntilDone, specOf } from '../../../kit/machines/provider-fixture.js';
import { openProxmoxStage, type ProxmoxStage } from '../../../kit/machines/proxmox-stage.js';

let stage: ProxmoxStage;
beforeAll(async () => {
  stage = await openProxmoxStage();
}, 60_000);
afterAll(() => stage.close());
beforeEach(() => {
  stage.proxmox.machines.taskMs = 3_000;
});

describe('a machine of Proxmox', () => {
  it.each(['stop', 'reboot', 'destroy'] as const)(
    'is observed and obeys %s after Proxmox has deleted the log of its last task',
    async (word) => {
      stage.proxmox.machines.taskMs = 0;
      const { uuid } = await createRunning(stage);
      stage.proxmox.machines.deleteTaskLogs();
      expect((await stage.provider().observe({ uuid, ref: null })).state).toBe('running');
      await repeatUntilDone(stage, word, commandTo(stage, uuid));
    },
  );

  it('whose task has ended is observed without another question for the task', async () => {
    stage.proxmox.machines.taskMs = 0;
    const { uuid } = await createRunning(stage);
    const questions = () => stage.proxmox.asked.filter((line) => line.includes('/tasks/')).length;
    const before = questions();
    await stage.provider().observe({ uuid, ref: null });
    expect(questions()).toBe(before);
  });

  it('whose task failed is not done, though it was observed meanwhile', async () => {
    const spec = specOf(stage);
    stage.proxmox.machines.nextExit = 'no space left on storage';
    await stage.provider().create(spec);
    stage.clock.nowMs += 10_000;
    await stage.provider().observe({ uuid: spec.uuid, ref: null });
    await expect(stage.provider().create(spec)).rejects.toThrow('The host could not finish the operation.');
  });
});
