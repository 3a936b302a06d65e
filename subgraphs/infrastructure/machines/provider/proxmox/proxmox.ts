import {
  HostUnreachable,
  ProviderFault,
  type KnownMachine,
  type Machine,
  type MachineSpec,
  type Observation,
  type Probe,
  type ProviderDependencies,
  type VmProvider,
} from '../provider.js';
import { answers } from '../probe.js';
import type { Answer, ProxmoxApi } from './api.js';
import { clearTask, recall, remember, type Memory } from './memory.js';
import { addressOf, bootDisk, macOf, markOf, seedDrive, settingsOf, vmidOf } from './proxmox.rules.js';
import type { SeedStore } from './seed-store.js';

/** Seconds for a guest to shut down before Proxmox forces it off. */
const GRACE_SECONDS = 60;

/** The Proxmox node and its services. */
export interface ProxmoxHost {
  readonly api: ProxmoxApi;
  readonly seeds: SeedStore;
  readonly node: string;
}

/** A machine on Proxmox. */
interface ProxmoxMachine {
  /** API path, `nodes/<node>/qemu/<vmid>`. */
  readonly path: string;
  readonly status: Answer;
}

/** Machines on a Proxmox VE node, cloned from the template named like the image. */
export class ProxmoxProvider implements VmProvider {
  private readonly api: ProxmoxApi;
  private readonly seeds: SeedStore;
  private readonly node: string;

  constructor(
    private readonly dependencies: ProviderDependencies,
    { api, seeds, node }: ProxmoxHost,
  ) {
    this.api = api;
    this.seeds = seeds;
    this.node = node;
  }

  /** One step per call: clone, configure, start. */
  async create(spec: MachineSpec): Promise<string> {
    const { uuid } = spec;
    if (await this.isIdle(uuid)) {
      await this.once(uuid, async (memory) => {
        if (memory.isGone) return null;
        const found = await this.find(uuid);
        if (!found) return this.clone(spec);
        if (found.status.lock !== undefined || found.status.status !== 'stopped') return null;
        await this.checkOurs(found, uuid);
        return (await this.prepare(found, spec)) ?? this.api.task('POST', `${found.path}/status/start`);
      });
    }
    return `proxmox:${vmidOf(uuid)}`;
  }

  start({ uuid }: Machine): Promise<void> {
    return this.sendCommand(uuid, (found) =>
      found.status.status === 'stopped' ? this.api.task('POST', `${found.path}/status/start`) : null,
    );
  }

  /** Proxmox forces the guest off after the grace period. */
  stop({ uuid }: Machine): Promise<void> {
    const words = { timeout: GRACE_SECONDS, forceStop: 1 };
    return this.sendCommand(uuid, (found) =>
      found.status.status === 'running' ? this.api.task('POST', `${found.path}/status/shutdown`, words) : null,
    );
  }

  async reboot({ uuid, requestedAt, command }: Machine): Promise<void> {
    const before = await recall(this.dependencies.database, uuid);
    const isSent = before.reboot === command;
    const hasFailed = await this.isIdle(uuid).then(
      (isIdle) => (isIdle ? false : undefined),
      (error: unknown) => {
        if (!isSent || !(error instanceof ProviderFault)) throw error;
        return true;
      },
    );
    if (hasFailed === undefined || (isSent && !hasFailed)) return;
    const secondsSinceRequest = (this.dependencies.now().getTime() - requestedAt.getTime()) / 1_000;
    await remember(this.dependencies.database, uuid, async (memory) => {
      const found = await this.find(uuid);
      if (!found) throw new ProviderFault('The host no longer has this virtual machine.');
      // The guest did not shut down in time.
      if (hasFailed) return { ...memory, task: await this.api.task('POST', `${found.path}/status/reset`) };
      // A machine that booted after the request was already rebooted; the response was lost.
      const isPast = Number(found.status.uptime) < Math.floor(secondsSinceRequest);
      const words = { timeout: GRACE_SECONDS };
      const task = isPast ? memory.task : await this.api.task('POST', `${found.path}/status/reboot`, words);
      return { ...memory, reboot: command, task };
    });
  }

  async destroy({ uuid }: Machine): Promise<void> {
    await remember(this.dependencies.database, uuid, (memory) => Promise.resolve({ ...memory, isGone: true }));
    const isIdle = await this.isIdle(uuid).catch((error: unknown) => {
      // A failed task has ended too.
      if (error instanceof ProviderFault) return true;
      throw error;
    });
    if (!isIdle) return;
    await this.once(uuid, async () => {
      const found = await this.find(uuid);
      if (!found) return this.seeds.remove(uuid).then(() => null);
      if (found.status.lock !== undefined) return null;
      await this.checkOurs(found, uuid);
      if (found.status.status !== 'stopped') return this.api.task('POST', `${found.path}/status/stop`);
      return this.api.task('DELETE', found.path, { purge: 1, 'destroy-unreferenced-disks': 1 });
    });
  }

  async observe({ uuid }: KnownMachine): Promise<Observation> {
    const [publicIp, overlayIp] = [null, null];
    const { task, isGone } = await recall(this.dependencies.database, uuid);
    // The rest of a destroyed machine is removed by `destroy`.
    if (task !== null && (isGone || (await this.outcome(task)) === undefined))
      return { state: 'busy', publicIp, overlayIp };
    const found = await this.find(uuid);
    if (!found) return { state: 'gone', publicIp, overlayIp };
    const { status, qmpstatus = status, lock } = found.status;
    if (lock !== undefined) return { state: 'busy', publicIp, overlayIp };
    if (status === 'stopped') return { state: 'stopped', publicIp, overlayIp };
    const state = qmpstatus === 'running' ? 'running' : 'busy';
    return { state, publicIp: await this.address(found), overlayIp };
  }

  async probe(machine: KnownMachine, probe: Probe): Promise<boolean> {
    const { publicIp } = await this.observe(machine);
    return publicIp !== null && answers(publicIp, probe);
  }

  /** Proxmox keeps no console output. */
  console(): Promise<null> {
    return Promise.resolve(null);
  }

  /** Starts one task, unless another one is running. */
  private async sendCommand(uuid: string, say: (found: ProxmoxMachine) => Promise<string> | null): Promise<void> {
    if (!(await this.isIdle(uuid))) return;
    await this.once(uuid, async () => {
      const found = await this.find(uuid);
      if (!found) throw new ProviderFault('The host no longer has this virtual machine.');
      return say(found);
    });
  }

  private once(uuid: string, work: (memory: Memory) => Promise<string | null>): Promise<void> {
    return remember(this.dependencies.database, uuid, async (memory) => ({
      ...memory,
      task: (await work(memory)) ?? memory.task,
    }));
  }

  /** Whether no task is running. @throws ProviderFault once for a failed task */
  private async isIdle(uuid: string): Promise<boolean> {
    const { task } = await recall(this.dependencies.database, uuid);
    if (task === null) return true;
    const outcome = await this.outcome(task);
    if (outcome === undefined) return false;
    await clearTask(this.dependencies.database, uuid, task);
    if (outcome === 'OK' || outcome.startsWith('WARNINGS')) return true;
    throw new ProviderFault('The host could not finish the operation.', { cause: `${task} ${outcome}` });
  }

  /** Exit status of a task; undefined: still running. */
  private async outcome(task: string): Promise<string | undefined> {
    const node = task.split(':')[1] ?? this.node;
    const answer = await this.api.get(`nodes/${encodeURIComponent(node)}/tasks/${encodeURIComponent(task)}/status`);
    const { status, exitstatus } = answer;
    if (status !== 'stopped') return undefined;
    return typeof exitstatus === 'string' ? exitstatus : 'unknown';
  }

  /** Finds a machine, also after migration to another node; undefined: it does not exist. */
  private async find(uuid: string): Promise<ProxmoxMachine | undefined> {
    const path = `nodes/${this.node}/qemu/${vmidOf(uuid)}`;
    try {
      return { path, status: await this.api.get(`${path}/status/current`) };
    } catch (error) {
      // Proxmox answers 500 both for a missing machine and for failures.
      if (!(error instanceof HostUnreachable) || error.status !== 500) throw error;
    }
    const elsewhere = (await this.resources()).find(({ vmid }) => Number(vmid) === vmidOf(uuid));
    if (!elsewhere) return undefined;
    const there = `nodes/${encodeURIComponent(String(elsewhere.node))}/qemu/${vmidOf(uuid)}`;
    return { path: there, status: await this.api.get(`${there}/status/current`) };
  }

  private async resources(): Promise<Answer[]> {
    const answer = await this.api.request('GET', 'cluster/resources?type=vm');
    return Array.isArray(answer) ? (answer as Answer[]) : [];
  }

  private async clone({ uuid, hostName, image }: MachineSpec): Promise<string> {
    const templates = await this.resources();
    const template = templates.find(
      (one) => one.template === 1 && one.name === image && one.node === this.node && one.type === 'qemu',
    );
    if (!template) throw new ProviderFault(`The host does not have the image "${image}" yet.`);
    const words = { newid: vmidOf(uuid), name: hostName, description: markOf(uuid) };
    return this.api.task('POST', `nodes/${this.node}/qemu/${Number(template.vmid)}/clone`, words);
  }

  /** Refuses to touch a machine with our vmid that the platform did not create. */
  private async checkOurs({ path }: ProxmoxMachine, uuid: string): Promise<void> {
    const { description } = await this.api.get(`${path}/config`);
    if (String(description).trim() !== markOf(uuid)) throw new Error(`${path} is not ours`);
  }

  /** @returns the task that must end before the start; null: ready */
  private async prepare({ path }: ProxmoxMachine, spec: MachineSpec): Promise<string | null> {
    const config = await this.api.get(`${path}/config`);
    const disk = bootDisk(config);
    if (!disk) throw new ProviderFault(`The image "${spec.image}" has no disk.`);
    if (disk.gib > spec.diskGb)
      throw new ProviderFault(`The image "${spec.image}" needs a disk of ${Math.ceil(disk.gib)} GB.`);
    const seed = spec.parts.length === 0 ? undefined : this.seeds.volumeOf(spec.uuid);
    if (seed !== undefined && !(await this.seeds.has(spec.uuid))) return this.seeds.upload(spec, macOf(config));
    const drive = seed === undefined ? {} : { [seedDrive(config, seed)]: `${seed},media=cdrom` };
    await this.api.request('PUT', `${path}/config`, { ...settingsOf(spec), ...drive });
    if (disk.gib === spec.diskGb) return null;
    const task = await this.api.request('PUT', `${path}/resize`, { disk: disk.name, size: `${spec.diskGb}G` });
    // Before version 8, the resize is synchronous.
    return typeof task === 'string' ? task : null;
  }

  private async address({ path }: ProxmoxMachine): Promise<string | null> {
    try {
      const answer = await this.api.get(`${path}/agent/network-get-interfaces`);
      return addressOf(await this.api.get(`${path}/config`), answer.result);
    } catch (error) {
      // Proxmox answers 500 when no guest agent is running.
      if (error instanceof HostUnreachable && error.status === 500) return null;
      throw error;
    }
  }
}
