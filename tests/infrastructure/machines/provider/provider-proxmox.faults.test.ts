import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
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
import { openProxmoxFixture, proxmoxProvider, type ProxmoxFixture } from '../../../kit/machines/proxmox-fixture.js';

describeProvider('Proxmox', openProxmoxFixture);
describeImages('Proxmox', openProxmoxFixture);

let fixture: ProxmoxFixture;
beforeAll(async () => {
  fixture = await openProxmoxFixture();
}, 60_000);
afterAll(() => fixture.close());
beforeEach(() => {
  fixture.proxmox.dropsResponseTo = undefined;
  fixture.proxmox.intercept = () => false;
});
const vm = (uuid: string) => fixture.proxmox.machines.all.get(vmidOf(uuid));

describe('a machine of Proxmox', () => {
  it('is a clone of the template that is named as the image, with the size, user and key that were asked for', async () => {
    const { uuid } = await createRunning(fixture, { cpuCores: 3, memoryMb: 4096, diskGb: 40, hostName: 'web-1' });
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
    const { uuid } = await createRunning(fixture);
    const look = () => fixture.provider().observe({ uuid, ref: null });
    expect((await look()).publicIp).toMatch(/^192\.0\.2\./);
    fixture.proxmox.dropsResponseTo = /network-get-interfaces$/;
    expect(await look()).toMatchObject({ state: 'running', publicIp: null });
  });

  it('is refused where its image needs a larger disk', async () => {
    fixture.proxmox.machines.addTemplate(9001, 'large', '100G');
    const spec = specOf(fixture, { image: 'large', diskGb: 20 });
    await expect(repeatUntilDone(fixture, spec, commandTo(fixture, spec.uuid))).rejects.toThrow(
      'The image "large" needs a disk of 100 GB.',
    );
  });

  it.each(['clone', 'resize', 'status/start'])('is made once though the answer to %s is lost', async (word) => {
    const spec = specOf(fixture, { diskGb: 30 });
    fixture.proxmox.dropsResponseTo = new RegExp(`${word}$`);
    await expect(repeatUntilDone(fixture, spec, commandTo(fixture, spec.uuid))).rejects.toThrow(HostUnreachable);
    fixture.proxmox.dropsResponseTo = undefined;
    await repeatUntilDone(fixture, spec, commandTo(fixture, spec.uuid));
    expect([vm(spec.uuid)?.boots, vm(spec.uuid)?.config.scsi0]).toEqual([1, expect.stringContaining('size=30G')]);
  });

  it('is reset when its guest does not shut down to reboot, and made to stop', async () => {
    const { uuid } = await createRunning(fixture);
    fixture.proxmox.machines.ignoresShutdown.add(vmidOf(uuid));
    await repeatUntilDone(fixture, 'reboot', commandTo(fixture, uuid));
    expect(vm(uuid)?.boots).toBe(2);
    expect((await repeatUntilDone(fixture, 'stop', commandTo(fixture, uuid))).state).toBe('stopped');
  });

  it('says that the host failed when its task did, and is made at the next try', async () => {
    const spec = specOf(fixture);
    fixture.proxmox.machines.tasks.nextExit = 'no space left on storage';
    const failed = repeatUntilDone(fixture, spec, commandTo(fixture, spec.uuid));
    await expect(failed).rejects.toThrow(ProviderFault);
    await expect(failed).rejects.toThrow('The host could not finish the operation.');
    expect((await repeatUntilDone(fixture, spec, commandTo(fixture, spec.uuid))).state).toBe('running');
  });

  it('that does more at its first boot starts with a disc that says so, which goes with it', async () => {
    const { uuid } = await createRunning(fixture, { parts: ['#!/bin/sh\necho shop\n'] });
    const volume = `local:iso/archipelago-${uuid}.iso`;
    expect(vm(uuid)?.config.ide2).toBe(`${volume},media=cdrom`);
    const disc = fixture.proxmox.machines.discs.get(volume) ?? '';
    expect([
      disc.slice(16 * 2048 + 1, 16 * 2048 + 6),
      disc.includes(Buffer.from('#!/bin/sh\necho shop\n').toString('base64')),
      /"macaddress": "([^"]+)"/.exec(disc)?.[1],
    ]).toEqual(['CD001', true, /virtio=([^,]+)/.exec(String(vm(uuid)?.config.net0))?.[1]?.toLowerCase()]);
    await repeatUntilDone(fixture, 'destroy', commandTo(fixture, uuid));
    expect(fixture.proxmox.machines.discs.has(volume)).toBe(false);
  });

  it('cannot do more where there is no storage for discs, and says so', async () => {
    const spec = specOf(fixture, { parts: ['#!/bin/sh\n'] });
    const provider = () =>
      proxmoxProvider(providerDependencies(fixture.clock, fixture.database), {
        ...fixture.proxmox.config,
        storage: undefined,
      });
    await expect(repeatUntilDone({ ...fixture, provider }, spec, commandTo(fixture, spec.uuid))).rejects.toThrow(
      'This host does not support applications or private networks.',
    );
  });

  it.each([0, 1])('is not taken for one of somebody else with its number, which stays (%s boots)', async (boots) => {
    const spec = specOf(fixture);
    const command = commandTo(fixture, spec.uuid);
    fixture.proxmox.machines.addTemplate(vmidOf(spec.uuid), 'an-elder');
    if (boots > 0) fixture.proxmox.machines.start(vmidOf(spec.uuid));
    fixture.clock.nowMs += 60_000;
    await expect(fixture.provider().create(spec)).rejects.toThrow('another machine with the number of this one');
    for (const word of ['start', 'reboot'] as const)
      await expect(fixture.provider()[word](command)).rejects.toThrow('no longer exists on the host');
    for (const word of ['stop', 'destroy'] as const) await fixture.provider()[word](command);
    expect((await fixture.provider().observe(command)).state).toBe('gone');
    const left = vm(spec.uuid);
    expect([left?.config.name, left?.status, left?.boots]).toEqual(['an-elder', boots ? 'running' : 'stopped', boots]);
  });

  it('that stands still because of its host is broken, and says why', async () => {
    const { uuid } = await createRunning(fixture);
    Object.assign(vm(uuid) ?? {}, { qmpstatus: 'io-error' });
    const reason = 'The disk of the host is full or faulty.';
    expect(await fixture.provider().observe({ uuid, ref: null })).toMatchObject({ state: 'broken', reason });
  });

  it('waits for its end while the host locks it', async () => {
    const { uuid } = await createRunning(fixture);
    for (const word of ['reboot', 'stop', 'start'] as const) {
      const command = commandTo(fixture, uuid);
      Object.assign(vm(uuid) ?? {}, { lock: 'backup' });
      for (let tries = 0; tries < 5; tries++) {
        await fixture.provider()[word](command);
        fixture.clock.nowMs += 10_000;
        expect((await fixture.provider().observe(command)).state).toBe('busy');
      }
      delete vm(uuid)?.lock;
      await repeatUntilDone(fixture, word, command);
    }
    expect(vm(uuid)?.boots).toBe(3);
  });

  it('is started when its guest shuts down after the reboot', async () => {
    const { uuid } = await createRunning(fixture);
    // An operator may add a note to the mark of the platform.
    Object.assign(vm(uuid)?.config ?? {}, { description: `Slow disk!\narchipelago:${uuid}\n` });
    const command = commandTo(fixture, uuid);
    await repeatUntilDone(fixture, 'reboot', command);
    Object.assign(vm(uuid) ?? {}, { status: 'stopped' });
    expect((await repeatUntilDone(fixture, 'reboot', command)).state).toBe('running');
  });
});

describe('Proxmox', () => {
  it.each([401, 403, 500, 502, 503, 595])('that answers %i is away: what it was told waits', async (status) => {
    const { uuid } = await createRunning(fixture);
    fixture.proxmox.intercept = (_request, response) => {
      response.writeHead(status).end('{"data":null}');
      return true;
    };
    await expect(fixture.provider().observe({ uuid, ref: null })).rejects.toThrow(HostUnreachable);
    await expect(fixture.provider().stop(commandTo(fixture, uuid))).rejects.toThrow(HostUnreachable);
  });

  it('that answers no JSON is away', async () => {
    const { uuid } = await createRunning(fixture);
    fixture.proxmox.intercept = (_request, response) => Boolean(response.end('<html>'));
    await expect(fixture.provider().observe({ uuid, ref: null })).rejects.toThrow(HostUnreachable);
  });

  it('that does not listen is away', async () => {
    const config = { ...fixture.proxmox.config, url: 'https://127.0.0.1:1' };
    await expect(new ProxmoxApi(config).request('GET', 'version')).rejects.toThrow(HostUnreachable);
  });

  it('that accepts connections and does not answer is away, also where its certificate is pinned', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const fingerprint of [undefined, fixture.proxmox.config.fingerprint])
      await expect(
        new ProxmoxApi({ ...fixture.proxmox.config, url, fingerprint }, 200).request('GET', 'version'),
      ).rejects.toThrow(HostUnreachable);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('whose certificate is another is told nothing, not even the token', async () => {
    const asked = fixture.proxmox.requests.length;
    for (const fingerprint of [undefined, fixture.proxmox.config.fingerprint?.replace('36', '37')])
      await expect(
        new ProxmoxApi({ ...fixture.proxmox.config, fingerprint }).request('GET', 'cluster/resources'),
      ).rejects.toThrow(HostUnreachable);
    expect(fixture.proxmox.requests.length).toBe(asked);
  });
});
