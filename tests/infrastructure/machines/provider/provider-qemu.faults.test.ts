import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { FILES } from '../../../../subgraphs/infrastructure/machines/provider/qemu/command-line.rules.js';
import { processOf } from '../../../../subgraphs/infrastructure/machines/provider/qemu/host-process.js';
import { Qmp } from '../../../../subgraphs/infrastructure/machines/provider/qemu/qmp.js';
import { sayExpected } from '../../../kit/expected-lines.js';
import { describeImages, describeProvider } from '../../../kit/machines/provider-sentences.js';
import { repeatUntilDone, createRunning, specOf, commandTo } from '../../../kit/machines/provider-fixture.js';
import { openQemuFixture, qemuUnavailableReason, type QemuFixture } from '../../../kit/machines/qemu.js';
import { isRunning, modeOf, until } from '../../../kit/watch.js';

const reason = qemuUnavailableReason();

if (reason !== undefined) {
  describe('the QEMU host', () => {
    it('is not tried without QEMU', () => {
      sayExpected(reason);
      expect(reason).toContain('not installed');
    });
  });
} else {
  describeProvider('the QEMU host', openQemuFixture);
  describeImages('the QEMU host', openQemuFixture);
  describeQemu();
}

function describeQemu(): void {
  let fixture: QemuFixture;
  beforeAll(async () => {
    fixture = await openQemuFixture();
  });
  afterAll(() => fixture.close());
  const directory = (uuid: string) => join(fixture.machines, uuid);
  const pid = (uuid: string) => processOf(directory(uuid), uuid);

  describe('a machine of QEMU', () => {
    it('is a directory that only its owner reads, and none once it is destroyed', async () => {
      const { uuid } = await createRunning(fixture);
      expect([await modeOf(directory(uuid)), await modeOf(join(directory(uuid), FILES.seed))]).toEqual(['700', '600']);
      const running = await pid(uuid);
      await repeatUntilDone(fixture, 'destroy', commandTo(fixture, uuid));
      expect([
        (await readdir(fixture.machines)).filter((name) => name.startsWith(uuid)),
        await isRunning(running ?? 0),
      ]).toEqual([[], false]);
    });

    it('has the disk of its flavor over the image, and refuses one that is smaller', async () => {
      const making = fixture.provider().create(specOf(fixture, { diskGb: 0 }));
      await expect(making).rejects.toThrow('needs a disk of 1 GB');
    });

    it('has the memory of its flavor, where the host has it', async () => {
      const making = fixture.provider().create(specOf(fixture, { memoryMb: 16_000_000 }));
      await expect(making).rejects.toThrow('The host does not have 16000000 MB of free memory.');
    });

    it('is reached for SSH at a port of its own, which it keeps', async () => {
      const machines = [await createRunning(fixture), await createRunning(fixture)];
      const ports = async () =>
        Promise.all(machines.map(async ({ uuid }) => (await fixture.provider().observe({ uuid, ref: null })).sshPort));
      const before = await ports();
      for (const { uuid } of machines)
        for (const word of ['stop', 'start'] as const) await repeatUntilDone(fixture, word, commandTo(fixture, uuid));
      expect([new Set(before).size, await ports()]).toEqual([2, before]);
    });

    it('shows what its guest writes to the console, and keeps the end of it', async () => {
      const { uuid } = await createRunning(fixture);
      await fixture.boots(uuid);
      const machine = { uuid, ref: null };
      expect(await fixture.provider().console(machine, 1024)).toContain('B');
      await writeFile(join(directory(uuid), FILES.console), `${'x'.repeat(5 * 2 ** 20)}the end`);
      await fixture.provider().observe(machine);
      expect(await fixture.provider().console(machine, 10)).toBe('xxxthe end');
      expect((await readFile(join(directory(uuid), FILES.console))).length).toBe(2 ** 20);
    });

    it('is not well where its guest takes no connection, though QEMU takes it', async () => {
      const { uuid } = await createRunning(fixture, { ports: [8080] });
      const probes = [8080, 8081].flatMap((port) => [null, '/'].map((path) => ({ port, path })));
      const provider = fixture.provider();
      const seen = [];
      for (const probe of probes) seen.push(await provider.probe({ uuid, ref: null }, probe));
      expect(seen).toEqual([false, false, false, false]);
    });

    it('is told of its card by the hardware address that it has', async () => {
      const { uuid } = await createRunning(fixture);
      const seed = await readFile(join(directory(uuid), FILES.seed), 'latin1');
      const words = await readFile(`/proc/${await pid(uuid)}/cmdline`, 'latin1');
      const [, mac = ''] = /"macaddress": "([0-9a-f:]{17})"/.exec(seed) ?? [];
      expect(words).toContain(`virtio-net-pci,netdev=net,romfile=,mac=${mac}\0`);
    });

    it('is asked over one connection as often as it takes, which keeps nothing of it', async () => {
      const { uuid } = await createRunning(fixture);
      const opened: Socket[] = [];
      const keep = (message: unknown) => opened.push((message as { socket: Socket }).socket);
      subscribe('net.client.socket', keep);
      const qmp = await Qmp.open(directory(uuid), FILES.qmp).finally(() => unsubscribe('net.client.socket', keep));
      const listening = () => opened.map((socket) => socket.listenerCount('close'));
      const before = listening();
      for (let asked = 0; asked < 20; asked++) await qmp.execute('query-status');
      expect([before.length > 0, listening()]).toEqual([true, before]);
      qmp.close();
    });

    it('that is to go out is refused where machines may not', async () => {
      await expect(fixture.provider().create(specOf(fixture, { goesOut: true }))).rejects.toThrow(
        'cannot join a network',
      );
    });

    it('says so at once when it ends by itself', async () => {
      const { uuid } = await createRunning(fixture);
      process.kill((await pid(uuid)) ?? 0, 'SIGTERM');
      await until(() => Promise.resolve(fixture.heard.includes(uuid)));
      await until(async () => (await fixture.provider().observe({ uuid, ref: null })).state === 'stopped');
    });

    it('is not taken for another process that has its number by now', async () => {
      const { uuid } = await createRunning(fixture);
      await repeatUntilDone(fixture, 'stop', commandTo(fixture, uuid));
      await writeFile(join(directory(uuid), FILES.pid), String(process.pid));
      expect((await fixture.provider().observe({ uuid, ref: null })).state).toBe('stopped');
      await repeatUntilDone(fixture, 'destroy', commandTo(fixture, uuid));
      expect(await isRunning(process.pid)).toBe(true);
    });

    it('is ended when its time is up though it does not listen', async () => {
      const { uuid } = await createRunning(fixture);
      const running = (await pid(uuid)) ?? 0;
      process.kill(running, 'SIGSTOP');
      const stop = { ...commandTo(fixture, uuid), requestedAt: new Date(0) };
      await fixture.provider().stop(stop);
      await until(async () => !(await isRunning(running)));
    }, 60_000);

    it.each([
      ['before the reset of its guest', ['stop'], 'paused'],
      ['between the reset and the continuation', ['stop', 'system_reset'], 'prelaunch'],
    ])(
      'runs on though the platform was killed %s',
      async (_when, executed, state) => {
        const { uuid } = await createRunning(fixture);
        const command = { ...commandTo(fixture, uuid), requestedAt: new Date(0) };
        await repeatUntilDone(fixture, 'reboot', command);
        const qmp = await Qmp.open(directory(uuid), FILES.qmp);
        for (const word of executed) await qmp.execute(word);
        await until(async () => JSON.stringify(await qmp.execute('query-status')).includes(state));
        qmp.close();
        expect((await repeatUntilDone(fixture, 'reboot', command)).state).toBe('running');
      },
      60_000,
    );

    it('that runs after its reboot was given up is seen running', async () => {
      const { uuid } = await createRunning(fixture);
      const reboot = commandTo(fixture, uuid);
      await fixture.provider().reboot(reboot);
      const stateFor = async (machine: { uuid: string; ref: null; command?: string }) =>
        (await fixture.provider().observe(machine)).state;
      expect([await stateFor({ ...reboot, ref: null }), await stateFor({ uuid, ref: null })]).toEqual([
        'busy',
        'running',
      ]);
    });

    it('that halted in a reboot that was given up is broken, and stops and starts', async () => {
      const { uuid } = await createRunning(fixture);
      const qmp = await Qmp.open(directory(uuid), FILES.qmp);
      await qmp.execute('stop');
      qmp.close();
      const { state, reason: why } = await fixture.provider().observe({ uuid, ref: null });
      expect([state, why]).toEqual(['broken', 'The virtual machine halted in a reboot that did not end.']);
      await repeatUntilDone(fixture, 'stop', commandTo(fixture, uuid));
      expect((await repeatUntilDone(fixture, 'start', commandTo(fixture, uuid))).state).toBe('running');
    });

    it('is made anew from what a crash left', async () => {
      const spec = specOf(fixture);
      const draft = `${directory(spec.uuid)}.part`;
      await mkdir(draft);
      await writeFile(join(draft, FILES.disk), 'half');
      expect((await repeatUntilDone(fixture, spec, commandTo(fixture, spec.uuid))).state).toBe('running');
    });
  });
}
