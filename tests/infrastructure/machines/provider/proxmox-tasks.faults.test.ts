import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HostUnreachable } from '../../../../subgraphs/infrastructure/machines/provider/provider.js';
import { vmidOf } from '../../../../subgraphs/infrastructure/machines/provider/proxmox/proxmox.rules.js';
import { commandTo, createRunning, repeatUntilDone, specOf } from '../../../kit/machines/provider-fixture.js';
import { openProxmoxFixture, type ProxmoxFixture } from '../../../kit/machines/proxmox-fixture.js';

let fixture: ProxmoxFixture;
beforeAll(async () => {
  fixture = await openProxmoxFixture();
}, 60_000);
afterAll(() => fixture.close());
beforeEach(() => {
  fixture.proxmox.machines.tasks.taskMs = 3_000;
  fixture.proxmox.dropsResponseTo = undefined;
  fixture.proxmox.intercept = () => false;
  fixture.proxmox.beforeAnswer = () => Promise.resolve();
});
const countRequests = (text: string) => fixture.proxmox.requests.filter((line) => line.includes(text)).length;

describe('a Proxmox machine', () => {
  it.each(['stop', 'reboot', 'destroy'] as const)(
    'is observed and obeys %s after Proxmox has deleted the log of its last task',
    async (word) => {
      fixture.proxmox.machines.tasks.taskMs = 0;
      const { uuid } = await createRunning(fixture);
      fixture.proxmox.machines.tasks.deleteLogs();
      expect((await fixture.provider().observe({ uuid, ref: null })).state).toBe('running');
      await repeatUntilDone(fixture, word, commandTo(fixture, uuid));
    },
  );

  it('whose task has ended is observed without requesting the task again', async () => {
    fixture.proxmox.machines.tasks.taskMs = 0;
    const { uuid } = await createRunning(fixture);
    const before = countRequests('/tasks/');
    await fixture.provider().observe({ uuid, ref: null });
    expect(countRequests('/tasks/')).toBe(before);
  });

  it('whose task failed is not done, although it was observed meanwhile', async () => {
    const spec = specOf(fixture);
    fixture.proxmox.machines.tasks.nextExit = 'no space left on storage';
    await fixture.provider().create(spec);
    fixture.clock.nowMs += 10_000;
    await fixture.provider().observe({ uuid: spec.uuid, ref: null });
    await expect(fixture.provider().create(spec)).rejects.toThrow('The host could not finish the operation.');
  });

  it.each([2_000, 12_000, 60_000])(
    'reboots once although the response is lost and the platform repeats the command %i ms later',
    async (ms) => {
      const { uuid } = await createRunning(fixture);
      fixture.clock.nowMs += 600_000;
      // Its guest takes a while to shut down.
      fixture.proxmox.machines.tasks.taskMs = 20_000;
      const [command, stops] = [commandTo(fixture, uuid), countRequests('status/stop')];
      fixture.proxmox.dropsResponseTo = /status\/reboot$/;
      await expect(fixture.provider().reboot(command)).rejects.toThrow(HostUnreachable);
      fixture.proxmox.dropsResponseTo = undefined;
      fixture.clock.nowMs += ms;
      await repeatUntilDone(fixture, 'reboot', command);
      expect([await fixture.boots(uuid), countRequests('status/stop') - stops]).toEqual([2, 0]);
    },
  );

  it('reboots although the first request was lost', async () => {
    const { uuid } = await createRunning(fixture);
    fixture.clock.nowMs += 600_000;
    const command = commandTo(fixture, uuid);
    fixture.proxmox.intercept = ({ url = '', socket }) => url.endsWith('/reboot') && Boolean(socket.destroy());
    await expect(fixture.provider().reboot(command)).rejects.toThrow(HostUnreachable);
    fixture.proxmox.intercept = () => false;
    await repeatUntilDone(fixture, 'reboot', command);
    expect(await fixture.boots(uuid)).toBe(2);
  });

  it('reboots once although its guest did not shut down and the response to the forced stop is lost', async () => {
    const { uuid } = await createRunning(fixture);
    fixture.clock.nowMs += 600_000;
    fixture.proxmox.machines.ignoresShutdown.add(vmidOf(uuid));
    const command = commandTo(fixture, uuid);
    await fixture.provider().reboot(command);
    fixture.clock.nowMs += 60_000;
    fixture.proxmox.dropsResponseTo = /status\/stop$/;
    await expect(fixture.provider().reboot(command)).rejects.toThrow(HostUnreachable);
    fixture.proxmox.dropsResponseTo = undefined;
    await repeatUntilDone(fixture, 'reboot', command);
    expect(await fixture.boots(uuid)).toBe(2);
  });

  it('is stopped when its guest did not shut down, although the platform was killed before it requested the stop', async () => {
    const { uuid } = await createRunning(fixture);
    fixture.proxmox.machines.ignoresShutdown.add(vmidOf(uuid));
    const command = commandTo(fixture, uuid);
    await fixture.provider().reboot(command);
    fixture.clock.nowMs += 60_000;
    fixture.proxmox.intercept = ({ url = '', socket }) => url.endsWith('/config') && Boolean(socket.destroy());
    await expect(fixture.provider().reboot(command)).rejects.toThrow(HostUnreachable);
    fixture.proxmox.intercept = () => false;
    await repeatUntilDone(fixture, 'reboot', command);
    expect(await fixture.boots(uuid)).toBe(2);
  });

  it('is recognized as its own when another process clones it concurrently', async () => {
    const spec = specOf(fixture);
    const lists = countRequests('cluster/resources');
    fixture.proxmox.beforeAnswer = async () => {
      // The first list finds no machine, the second one is read for the template.
      if (countRequests('cluster/resources') - lists < 2) return;
      fixture.proxmox.beforeAnswer = () => Promise.resolve();
      await fixture.provider().create(spec);
    };
    await fixture.provider().create(spec);
    await repeatUntilDone(fixture, spec, commandTo(fixture, spec.uuid));
    expect(await fixture.boots(spec.uuid)).toBe(1);
  });

  it('has no transaction open while Proxmox responds', async () => {
    const open: number[] = [];
    fixture.proxmox.beforeAnswer = async () => {
      const [found] = await fixture.database.rows<{ count: number }>(OPEN_TRANSACTIONS);
      open.push(found?.count ?? 0);
    };
    const { uuid } = await createRunning(fixture, { diskGb: 30, parts: ['#!/bin/sh\n'] });
    for (const word of ['reboot', 'stop', 'start', 'destroy'] as const)
      await repeatUntilDone(fixture, word, commandTo(fixture, uuid));
    expect(Math.max(...open)).toBe(0);
  });

  it('stores no task or a Proxmox UPID, which the previous version can read', async () => {
    const unknown: string[] = [];
    fixture.proxmox.beforeAnswer = async () => {
      const rows = await fixture.database.rows<{ task: string }>(TASKS);
      unknown.push(...rows.map(({ task }) => task).filter((task) => !task.startsWith('UPID:')));
    };
    const { uuid } = await createRunning(fixture);
    await repeatUntilDone(fixture, 'reboot', commandTo(fixture, uuid));
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
