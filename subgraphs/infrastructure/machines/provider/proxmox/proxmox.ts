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
import { runStateOf } from '../run-state.rules.js';
import { ProxmoxRefusal, type ProxmoxApi } from './api.js';
import { cloneTemplate, prepare, readResources, type ProxmoxHost, type ProxmoxMachine } from './creation.js';
import { clearTask, recall, remember, type Memory } from './memory.js';
import { addressOf, isMarked, vmidOf } from './proxmox.rules.js';

/** Seconds for a guest to shut down before Proxmox forces it off. */
const GRACE_SECONDS = 60;

const MISSING = 'The host no longer has this virtual machine.';

type Words = Readonly<Record<string, number>>;

/** Machines on a Proxmox VE node, cloned from the template named like the image. */
export class ProxmoxProvider implements VmProvider {
  private readonly api: ProxmoxApi;

  constructor(
    private readonly dependencies: ProviderDependencies,
    private readonly host: ProxmoxHost,
  ) {
    this.api = host.api;
  }

  /** One step per call: clone, configure, start. */
  async create(spec: MachineSpec): Promise<string> {
    const { uuid } = spec;
    if (await this.isIdle(uuid)) {
      await this.once(uuid, async (memory) => {
        if (memory.isGone) return null;
        const found = await this.find(uuid);
        if (!found) return cloneTemplate(this.host, spec);
        if (isLocked(found) || found.status.status !== 'stopped') return null;
        return (await prepare(this.host, found, spec)) ?? this.turn(found, 'start');
      });
    }
    return `proxmox:${vmidOf(uuid)}`;
  }

  start({ uuid }: Machine): Promise<void> {
    return this.sendCommand(uuid, (found) => {
      if (!found) throw new ProviderFault(MISSING);
      return found.status.status === 'stopped' ? this.turn(found, 'start') : null;
    });
  }

  /** Proxmox forces the guest off after the grace period. */
  stop({ uuid }: Machine): Promise<void> {
    const words = { timeout: GRACE_SECONDS, forceStop: 1 };
    return this.sendCommand(uuid, (found) =>
      found?.status.status === 'running' ? this.turn(found, 'shutdown', words) : null,
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
    if (hasFailed === undefined) return;
    const secondsSinceRequest = (this.dependencies.now().getTime() - requestedAt.getTime()) / 1_000;
    await remember(this.dependencies.database, uuid, async (memory) => {
      const found = await this.find(uuid);
      if (!found) throw new ProviderFault(MISSING);
      if (memory.task !== null) return memory;
      // A reboot that a lock refused is sent again.
      if (isLocked(found)) return hasFailed ? { ...memory, reboot: null } : memory;
      const send = async (word: string, words?: Words) => ({
        ...memory,
        reboot: command,
        task: await this.turn(found, word, words),
      });
      if (found.status.status === 'stopped') return send('start');
      // The guest did not shut down in time.
      if (hasFailed) return send('reset');
      // A machine that booted after the request was already rebooted; the response was lost.
      const isPast = isSent || Number(found.status.uptime) < Math.floor(secondsSinceRequest);
      return isPast ? { ...memory, reboot: command } : send('reboot', { timeout: GRACE_SECONDS });
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
      if (!found) return this.host.seeds.remove(uuid).then(() => null);
      if (isLocked(found)) return null;
      if (found.status.status !== 'stopped') return this.turn(found, 'stop');
      return this.api.task('DELETE', found.path, { purge: 1, 'destroy-unreferenced-disks': 1 });
    });
  }

  async observe({ uuid }: KnownMachine): Promise<Observation> {
    const [publicIp, overlayIp] = [null, null];
    const { task, isGone } = await recall(this.dependencies.database, uuid);
    // The rest of a destroyed machine is removed by `destroy`.
    if (task !== null) {
      const outcome = isGone ? undefined : await this.outcome(task);
      if (outcome === undefined) return { state: 'busy', publicIp, overlayIp };
      // A failed task is left to the next command, which reports it.
      if (isSuccess(outcome)) await clearTask(this.dependencies.database, uuid, task);
    }
    const found = await this.find(uuid);
    if (!found) return { state: 'gone', publicIp, overlayIp };
    if (isLocked(found)) return { state: 'busy', publicIp, overlayIp };
    const { status, qmpstatus = status } = found.status;
    if (status === 'stopped') return { state: 'stopped', publicIp, overlayIp };
    return { ...runStateOf(String(qmpstatus)), publicIp: await this.address(found), overlayIp };
  }

  async probe(machine: KnownMachine, probe: Probe): Promise<boolean> {
    const { publicIp } = await this.observe(machine);
    return publicIp !== null && answers(publicIp, probe);
  }

  /** Proxmox keeps no console output. */
  console(): Promise<null> {
    return Promise.resolve(null);
  }

  /** Starts one task, unless another one is running or the host locks the machine. */
  private async sendCommand(
    uuid: string,
    say: (found: ProxmoxMachine | undefined) => Promise<string> | null,
  ): Promise<void> {
    if (!(await this.isIdle(uuid))) return;
    await this.once(uuid, async () => {
      const found = await this.find(uuid);
      return found && isLocked(found) ? null : say(found);
    });
  }

  /** @returns the started task */
  private turn({ path }: ProxmoxMachine, word: string, words?: Words): Promise<string> {
    return this.api.task('POST', `${path}/status/${word}`, words);
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
    if (isSuccess(outcome)) return true;
    throw new ProviderFault('The host could not finish the operation.', { cause: `${task} ${outcome}` });
  }

  /** Exit status of a task; undefined: still running. */
  private async outcome(task: string): Promise<string | undefined> {
    const node = task.split(':')[1] ?? this.host.node;
    const path = `nodes/${encodeURIComponent(node)}/tasks/${encodeURIComponent(task)}/status`;
    try {
      const { status, exitstatus } = await this.api.get(path);
      if (status !== 'stopped') return undefined;
      return typeof exitstatus === 'string' ? exitstatus : 'unknown';
    } catch (error) {
      // Proxmox deletes the logs of old tasks and refuses to tell of them. Source: pve-manager, bin/pveupdate, API2/Tasks.pm
      if (error instanceof ProxmoxRefusal && error.status === 400) return 'OK';
      throw error;
    }
  }

  /** Finds a machine, also after migration to another node; undefined: it does not exist, or belongs to somebody else. */
  private async find(uuid: string): Promise<ProxmoxMachine | undefined> {
    const found = await this.locate(uuid);
    if (!found) return undefined;
    const config = await this.api.get(`${found.path}/config`);
    if (isLocked(found) || isMarked(config, uuid)) return { ...found, config };
    this.dependencies.log.warn(
      { machine: uuid, path: found.path },
      'a machine of somebody else has the number of ours',
    );
    return undefined;
  }

  /** Finds whatever machine has the number. */
  private async locate(uuid: string): Promise<Pick<ProxmoxMachine, 'path' | 'status'> | undefined> {
    const path = `nodes/${this.host.node}/qemu/${vmidOf(uuid)}`;
    try {
      return { path, status: await this.api.get(`${path}/status/current`) };
    } catch (error) {
      // Proxmox answers 500 both for a missing machine and for failures.
      if (!(error instanceof HostUnreachable) || error.status !== 500) throw error;
    }
    const elsewhere = (await readResources(this.api)).find(({ vmid }) => Number(vmid) === vmidOf(uuid));
    if (!elsewhere) return undefined;
    const there = `nodes/${encodeURIComponent(String(elsewhere.node))}/qemu/${vmidOf(uuid)}`;
    return { path: there, status: await this.api.get(`${there}/status/current`) };
  }

  private async address({ path, config }: ProxmoxMachine): Promise<string | null> {
    try {
      const answer = await this.api.get(`${path}/agent/network-get-interfaces`);
      return addressOf(config, answer.result);
    } catch (error) {
      // The agent belongs to the guest: whatever it answers, the machine runs.
      if (error instanceof HostUnreachable) return null;
      throw error;
    }
  }
}

function isSuccess(outcome: string): boolean {
  return outcome === 'OK' || outcome.startsWith('WARNINGS');
}

/** The host may lock a machine, e.g. during a backup: then it cannot be changed. */
function isLocked({ status }: Pick<ProxmoxMachine, 'status'>): boolean {
  return status.lock !== undefined;
}
