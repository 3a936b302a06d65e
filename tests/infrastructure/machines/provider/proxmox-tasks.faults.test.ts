import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HostUnreachable } from '../../../../subgraphs/infrastructure/machines/provider/provider.js';
import { vmidOf } from '../../../../subgraphs/infrastructure/machines/provider/proxmox/proxmox.rules.js';
import { commandTo, createRunning, repeatUntilDone, specOf } from '../../../kit/machines/provider-fixture.js';
import { openProxmoxStage, type ProxmoxStage } from '../../../kit/machines/proxmox-stage.js';

let stage: ProxmoxStage;
beforeAll(async () => {
  stage = await openProxmoxStage();
}, 60_000);
afterAll(() => stage.close());
beforeEach(() => {
  stage.proxmox.machines.tasks.taskMs = 3_000;
  stage.proxmox.losesAnswerTo = undefined;
  stage.proxmox.trick = () => false;
  stage.proxmox.beforeAnswer = () => Promise.resolve();
});
const requests = (word: string) => stage.proxmox.asked.filter((line) => line.includes(word)).length;

describe('a machine of Proxmox', () => {
  it.each(['stop', 'reboot', 'destroy'] as const)(
    'is observed and obeys %s after Proxmox has deleted the log of its last task',
    async (word) => {
      stage.proxmox.machines.tasks.taskMs = 0;
      const { uuid } = await createRunning(stage);
      stage.proxmox.machines.tasks.deleteLogs();
      expect((await stage.provider().observe({ uuid, ref: null })).state).toBe('running');
      await repeatUntilDone(stage, word, commandTo(stage, uuid));
    },
  );

  it('whose task has ended is observed without another question for the task', async () => {
    stage.proxmox.machines.tasks.taskMs = 0;
    const { uuid } = await createRunning(stage);
    const before = requests('/tasks/');
    await stage.provider().observe({ uuid, ref: null });
    expect(requests('/tasks/')).toBe(before);
  });

  it('whose task failed is not done, though it was observed meanwhile', async () => {
    const spec = specOf(stage);
    stage.proxmox.machines.tasks.nextExit = 'no space left on storage';
    await stage.provider().create(spec);
    stage.clock.nowMs += 10_000;
    await stage.provider().observe({ uuid: spec.uuid, ref: null });
    await expect(stage.provider().create(spec)).rejects.toThrow('The host could not finish the operation.');
  });

  it.each([2_000, 12_000, 60_000])(
    'reboots once though the answer is lost and the platform repeats the command %i ms later',
    async (ms) => {
      const { uuid } = await createRunning(stage);
      stage.clock.nowMs += 600_000;
      // Its guest takes a while to shut down.
      stage.proxmox.machines.tasks.taskMs = 20_000;
      const [command, stops] = [commandTo(stage, uuid), requests('status/stop')];
      stage.proxmox.losesAnswerTo = /status\/reboot$/;
      await expect(stage.provider().reboot(command)).rejects.toThrow(HostUnreachable);
      stage.proxmox.losesAnswerTo = undefined;
      stage.clock.nowMs += ms;
      await repeatUntilDone(stage, 'reboot', command);
      expect([await stage.boots(uuid), requests('status/stop') - stops]).toEqual([2, 0]);
    },
  );

  it('reboots though the request for it was lost', async () => {
    const { uuid } = await createRunning(stage);
    stage.clock.nowMs += 600_000;
    const command = commandTo(stage, uuid);
    stage.proxmox.trick = ({ url = '', socket }) => url.endsWith('/reboot') && Boolean(socket.destroy());
    await expect(stage.provider().reboot(command)).rejects.toThrow(HostUnreachable);
    stage.proxmox.trick = () => false;
    await repeatUntilDone(stage, 'reboot', command);
    expect(await stage.boots(uuid)).toBe(2);
  });

  it('boots once though its guest did not shut down and the answer to the forced stop is lost', async () => {
    const { uuid } = await createRunning(stage);
    stage.clock.nowMs += 600_000;
    stage.proxmox.machines.deaf.add(vmidOf(uuid));
    const command = commandTo(stage, uuid);
    await stage.provider().reboot(command);
    stage.clock.nowMs += 60_000;
    stage.proxmox.losesAnswerTo = /status\/stop$/;
    await expect(stage.provider().reboot(command)).rejects.toThrow(HostUnreachable);
    stage.proxmox.losesAnswerTo = undefined;
    await repeatUntilDone(stage, 'reboot', command);
    expect(await stage.boots(uuid)).toBe(2);
  });

  it('is stopped when its guest did not shut down, though the platform was killed before it asked for that', async () => {
    const { uuid } = await createRunning(stage);
    stage.proxmox.machines.deaf.add(vmidOf(uuid));
    const command = commandTo(stage, uuid);
    await stage.provider().reboot(command);
    stage.clock.nowMs += 60_000;
    stage.proxmox.trick = ({ url = '', socket }) => url.endsWith('/config') && Boolean(socket.destroy());
    await expect(stage.provider().reboot(command)).rejects.toThrow(HostUnreachable);
    stage.proxmox.trick = () => false;
    await repeatUntilDone(stage, 'reboot', command);
    expect(await stage.boots(uuid)).toBe(2);
  });

  it('is not taken for one of somebody else when another process clones it at that moment', async () => {
    const spec = specOf(stage);
    const lists = requests('cluster/resources');
    stage.proxmox.beforeAnswer = async () => {
      // The first list finds no machine, the second one is read for the template.
      if (requests('cluster/resources') - lists < 2) return;
      stage.proxmox.beforeAnswer = () => Promise.resolve();
      await stage.provider().create(spec);
    };
    await stage.provider().create(spec);
    await repeatUntilDone(stage, spec, commandTo(stage, spec.uuid));
    expect(await stage.boots(spec.uuid)).toBe(1);
  });

  it('has no transaction open while Proxmox answers', async () => {
    const open: number[] = [];
    stage.proxmox.beforeAnswer = async () => {
      const [found] = await stage.database.rows<{ count: number }>(OPEN_TRANSACTIONS);
      open.push(found?.count ?? 0);
    };
    const { uuid } = await createRunning(stage, { diskGb: 30, parts: ['#!/bin/sh\n'] });
    for (const word of ['reboot', 'stop', 'start', 'destroy'] as const)
      await repeatUntilDone(stage, word, commandTo(stage, uuid));
    expect(Math.max(...open)).toBe(0);
  });

  it('has at any time no task or one that Proxmox knows, so that a process of the previous version can ask for it', async () => {
    const unknown: string[] = [];
    stage.proxmox.beforeAnswer = async () => {
      const rows = await stage.database.rows<{ task: string }>(TASKS);
      unknown.push(...rows.map(({ task }) => task).filter((task) => !task.startsWith('UPID:')));
    };
    const { uuid } = await createRunning(stage);
    await repeatUntilDone(stage, 'reboot', commandTo(stage, uuid));
    expect(unknown).toEqual([]);
  });
});

const TASKS = {
  name: 'tasks-of-the-tests',
  text: 'SELECT task FROM infrastructure.hosted_machine WHERE task IS NOT NULL',
};

const OPEN_TRANSACTIONS = {
  name: 'open-transactions-of-the-tests',
  text: `SELECT count(*)::integer AS count FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
};
