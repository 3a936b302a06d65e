import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HostUnreachable, ProviderFault } from '../../../../subgraphs/infrastructure/machines/provider/provider.js';
import { ProxmoxApi } from '../../../../subgraphs/infrastructure/machines/provider/proxmox/api.js';
import { vmidOf } from '../../../../subgraphs/infrastructure/machines/provider/proxmox/proxmox.rules.js';
import { SSH_KEY } from '../../../kit/machines/machine.js';
import { describeImages, describeProvider } from '../../../kit/machines/provider-sentences.js';
import {
  providerDependencies,
  repeatUntilDone,
  createRunning,
  specOf,
  commandTo,
} from '../../../kit/machines/provider-fixture.js';
import { openProxmoxStage, proxmoxProvider, type ProxmoxStage } from '../../../kit/machines/proxmox-stage.js';

describeProvider('Proxmox', openProxmoxStage);
describeImages('Proxmox', openProxmoxStage);

let stage: ProxmoxStage;
beforeAll(async () => {
  stage = await openProxmoxStage();
}, 60_000);
afterAll(() => stage.close());
beforeEach(() => {
  stage.proxmox.losesAnswerTo = undefined;
  stage.proxmox.trick = () => false;
});
const vm = (uuid: string) => stage.proxmox.machines.all.get(vmidOf(uuid));

describe('a machine of Proxmox', () => {
  it('is a clone of the template that is named as the image, with the size, user and key that were asked for', async () => {
    const { uuid } = await createRunning(stage, { cpuCores: 3, memoryMb: 4096, diskGb: 40, hostName: 'web-1' });
    const config = vm(uuid)?.config;
    expect(config).toMatchObject({
      name: 'web-1',
      description: `archipelago:${uuid}\n`,
      cores: '3',
      memory: '4096',
      ciuser: 'cloud',
      ipconfig0: 'ip=dhcp',
      scsi0: expect.stringContaining('size=40G'),
    });
    expect(decodeURIComponent(String(config?.sshkeys))).toBe(SSH_KEY);
  });

  it('has the address of its first card, not of what runs in it, and runs whatever its agent answers', async () => {
    const { uuid } = await createRunning(stage);
    const look = () => stage.provider().observe({ uuid, ref: null });
    expect((await look()).publicIp).toMatch(/^192\.0\.2\./);
    stage.proxmox.losesAnswerTo = /network-get-interfaces$/;
    expect(await look()).toMatchObject({ state: 'running', publicIp: null });
  });

  it('is refused where its image needs a larger disk', async () => {
    stage.proxmox.machines.addTemplate(9001, 'large', '100G');
    const spec = specOf(stage, { image: 'large', diskGb: 20 });
    await expect(repeatUntilDone(stage, spec, commandTo(stage, spec.uuid))).rejects.toThrow(
      'The image "large" needs a disk of 100 GB.',
    );
  });

  it.each(['clone', 'resize', 'status/start'])('is made once though the answer to %s is lost', async (word) => {
    const spec = specOf(stage, { diskGb: 30 });
    stage.proxmox.losesAnswerTo = new RegExp(`${word}$`);
    await expect(repeatUntilDone(stage, spec, commandTo(stage, spec.uuid))).rejects.toThrow(HostUnreachable);
    stage.proxmox.losesAnswerTo = undefined;
    await repeatUntilDone(stage, spec, commandTo(stage, spec.uuid));
    expect([vm(spec.uuid)?.boots, vm(spec.uuid)?.config.scsi0]).toEqual([1, expect.stringContaining('size=30G')]);
  });

  it('is reset when its guest does not shut down to reboot, and made to stop', async () => {
    const { uuid } = await createRunning(stage);
    stage.proxmox.machines.deaf.add(vmidOf(uuid));
    await repeatUntilDone(stage, 'reboot', commandTo(stage, uuid));
    expect(vm(uuid)?.boots).toBe(2);
    expect((await repeatUntilDone(stage, 'stop', commandTo(stage, uuid))).state).toBe('stopped');
  });

  it('says that the host failed when its task did, and is made at the next try', async () => {
    const spec = specOf(stage);
    stage.proxmox.machines.tasks.nextExit = 'no space left on storage';
    const failed = repeatUntilDone(stage, spec, commandTo(stage, spec.uuid));
    await expect(failed).rejects.toThrow(ProviderFault);
    await expect(failed).rejects.toThrow('The host could not finish the operation.');
    expect((await repeatUntilDone(stage, spec, commandTo(stage, spec.uuid))).state).toBe('running');
  });

  it('that does more at its first boot starts with a disc that says so, which goes with it', async () => {
    const { uuid } = await createRunning(stage, { parts: ['#!/bin/sh\necho shop\n'] });
    const volume = `local:iso/archipelago-${uuid}.iso`;
    expect(vm(uuid)?.config.ide2).toBe(`${volume},media=cdrom`);
    const disc = stage.proxmox.machines.discs.get(volume) ?? '';
    expect([
      disc.slice(16 * 2048 + 1, 16 * 2048 + 6),
      disc.includes(Buffer.from('#!/bin/sh\necho shop\n').toString('base64')),
      /"macaddress": "([^"]+)"/.exec(disc)?.[1],
    ]).toEqual(['CD001', true, /virtio=([^,]+)/.exec(String(vm(uuid)?.config.net0))?.[1]?.toLowerCase()]);
    await repeatUntilDone(stage, 'destroy', commandTo(stage, uuid));
    expect(stage.proxmox.machines.discs.has(volume)).toBe(false);
  });

  it('cannot do more where there is no storage for discs, and says so', async () => {
    const spec = specOf(stage, { parts: ['#!/bin/sh\n'] });
    const provider = () =>
      proxmoxProvider(providerDependencies(stage.clock, stage.database), {
        ...stage.proxmox.config,
        storage: undefined,
      });
    await expect(repeatUntilDone({ ...stage, provider }, spec, commandTo(stage, spec.uuid))).rejects.toThrow(
      'This host does not support applications or private networks.',
    );
  });

  it.each([0, 1])('is not taken for one of somebody else with its number, which stays (%s boots)', async (boots) => {
    const spec = specOf(stage);
    const command = commandTo(stage, spec.uuid);
    stage.proxmox.machines.addTemplate(vmidOf(spec.uuid), 'an-elder');
    if (boots > 0) stage.proxmox.machines.start(vmidOf(spec.uuid));
    stage.clock.nowMs += 60_000;
    await expect(stage.provider().create(spec)).rejects.toThrow('another machine with the number of this one');
    for (const word of ['start', 'reboot'] as const)
      await expect(stage.provider()[word](command)).rejects.toThrow('no longer has this virtual machine');
    for (const word of ['stop', 'destroy'] as const) await stage.provider()[word](command);
    expect((await stage.provider().observe(command)).state).toBe('gone');
    const left = vm(spec.uuid);
    expect([left?.config.name, left?.status, left?.boots]).toEqual(['an-elder', boots ? 'running' : 'stopped', boots]);
  });

  it('that stands still because of its host is broken, and says why', async () => {
    const { uuid } = await createRunning(stage);
    Object.assign(vm(uuid) ?? {}, { qmpstatus: 'io-error' });
    const reason = 'The disk of the host is full or faulty.';
    expect(await stage.provider().observe({ uuid, ref: null })).toMatchObject({ state: 'broken', reason });
  });

  it('waits for its end while the host locks it', async () => {
    const { uuid } = await createRunning(stage);
    for (const word of ['reboot', 'stop', 'start'] as const) {
      const command = commandTo(stage, uuid);
      Object.assign(vm(uuid) ?? {}, { lock: 'backup' });
      for (let tries = 0; tries < 5; tries++) {
        await stage.provider()[word](command);
        stage.clock.nowMs += 10_000;
        expect((await stage.provider().observe(command)).state).toBe('busy');
      }
      delete vm(uuid)?.lock;
      await repeatUntilDone(stage, word, command);
    }
    expect(vm(uuid)?.boots).toBe(3);
  });

  it('is started when its guest shuts down after the reboot', async () => {
    const { uuid } = await createRunning(stage);
    // An operator may add a note to the mark of the platform.
    Object.assign(vm(uuid)?.config ?? {}, { description: `Slow disk!\narchipelago:${uuid}\n` });
    const command = commandTo(stage, uuid);
    await repeatUntilDone(stage, 'reboot', command);
    Object.assign(vm(uuid) ?? {}, { status: 'stopped' });
    expect((await repeatUntilDone(stage, 'reboot', command)).state).toBe('running');
  });
});

describe('Proxmox', () => {
  it.each([401, 403, 500, 502, 503, 595])('that answers %i is away: what it was told waits', async (status) => {
    const { uuid } = await createRunning(stage);
    stage.proxmox.trick = (_request, response) => {
      response.writeHead(status).end('{"data":null}');
      return true;
    };
    await expect(stage.provider().observe({ uuid, ref: null })).rejects.toThrow(HostUnreachable);
    await expect(stage.provider().stop(commandTo(stage, uuid))).rejects.toThrow(HostUnreachable);
  });

  it('that answers no JSON is away', async () => {
    const { uuid } = await createRunning(stage);
    stage.proxmox.trick = (_request, response) => Boolean(response.end('<html>'));
    await expect(stage.provider().observe({ uuid, ref: null })).rejects.toThrow(HostUnreachable);
  });

  it('that does not listen is away', async () => {
    const config = { ...stage.proxmox.config, url: 'https://127.0.0.1:1' };
    await expect(new ProxmoxApi(config).request('GET', 'version')).rejects.toThrow(HostUnreachable);
  });

  it('whose certificate is another is told nothing, not even the token', async () => {
    const asked = stage.proxmox.asked.length;
    for (const fingerprint of [undefined, stage.proxmox.config.fingerprint?.replace('36', '37')])
      await expect(
        new ProxmoxApi({ ...stage.proxmox.config, fingerprint }).request('GET', 'cluster/resources'),
      ).rejects.toThrow(HostUnreachable);
    expect(stage.proxmox.asked.length).toBe(asked);
  });
});
