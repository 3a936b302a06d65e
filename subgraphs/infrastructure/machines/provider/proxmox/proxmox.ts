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
import type { ProxmoxApi } from './api.js';
import { nextStep, readResources, type ProxmoxHost, type ProxmoxMachine, type Send } from './creation.js';
import { markGone } from './memory.js';
import { addressOf, isMarked, rebootStep, vmidOf } from './proxmox.rules.js';
import { isEnded, Requests } from './requests.js';

/** Seconds for a guest to shut down before Proxmox forces it off. */
const GRACE_SECONDS = 60;

const MISSING = 'The virtual machine no longer exists on the host.';

type Words = Readonly<Record<string, number>>;

/** Machines on a Proxmox VE node, cloned from the template named like the image. */
export class ProxmoxProvider implements VmProvider {
  private readonly api: ProxmoxApi;
  private readonly requests: Requests;

  constructor(
    private readonly dependencies: ProviderDependencies,
    private readonly host: ProxmoxHost,
  ) {
    this.api = host.api;
    this.requests = new Requests(dependencies, host);
  }

  /** One step per call: clone, configure, start. */
  async create(spec: MachineSpec): Promise<string> {
    const { uuid } = spec;
    await this.sendNext(uuid, (found) => nextStep(this.host, found, spec));
    return `proxmox:${vmidOf(uuid)}`;
  }

  start({ uuid }: Machine): Promise<void> {
    return this.sendNext(uuid, (found) => {
      if (!found) throw new ProviderFault(MISSING);
      return found.status.status === 'stopped' ? this.turn(found, 'start') : null;
    });
  }

  /** Proxmox forces the guest off after the grace period. */
  stop({ uuid }: Machine): Promise<void> {
    const words = { timeout: GRACE_SECONDS, forceStop: 1 };
    return this.sendNext(uuid, (found) =>
      found?.status.status === 'running' ? this.turn(found, 'shutdown', words) : null,
    );
  }

  async reboot({ uuid, requestedAt, command }: Machine): Promise<void> {
    const last = await this.requests.last(uuid);
    const { memory, outcome } = last;
    if (!outcome) return;
    const isBegun = memory.reboot === command;
    if (!isBegun && outcome === 'failed') return this.requests.reportFailure(uuid, last);
    const found = await this.find(uuid);
    if (!found) throw new ProviderFault(MISSING);
    const secondsSinceRequest = (this.dependencies.now().getTime() - requestedAt.getTime()) / 1_000;
    const step = rebootStep(found.status, { isBegun, outcome, secondsSinceRequest });
    if (step === 'wait') return;
    const reboot = { before: memory, reboot: command };
    if (step === 'done') await this.requests.skip(uuid, reboot);
    else if (step === 'again') await this.requests.skip(uuid, { before: memory, reboot: null });
    else if (step !== 'reboot') await this.requests.send(uuid, reboot, this.turn(found, step));
    else {
      // It is not sent again before the first one, if it arrived, has ended.
      const send = this.turn(found, step, { timeout: GRACE_SECONDS });
      await this.requests.send(uuid, { ...reboot, extraSeconds: GRACE_SECONDS }, send);
    }
  }

  async destroy({ uuid }: Machine): Promise<void> {
    await markGone(this.dependencies.database, uuid);
    const { memory, outcome } = await this.requests.last(uuid);
    // A failed task has ended too.
    if (!outcome) return;
    const found = await this.find(uuid);
    if (!found) {
      await this.host.seeds.remove(uuid);
      return this.requests.forget(uuid, memory);
    }
    if (isLocked(found)) return;
    const words = { purge: 1, 'destroy-unreferenced-disks': 1 };
    const isStopped = found.status.status === 'stopped';
    await this.requests.send(
      uuid,
      { before: memory },
      isStopped ? () => this.api.task('DELETE', found.path, words) : this.turn(found, 'stop'),
    );
  }

  async observe({ uuid }: KnownMachine): Promise<Observation> {
    const publicIp = null;
    const { memory, outcome } = await this.requests.last(uuid);
    // The rest of a destroyed machine is removed by `destroy`.
    if (!outcome || (memory.isGone && !isEnded(memory))) return { state: 'busy', publicIp };
    // A failed task is left to the next command, which reports it.
    if (outcome === 'succeeded') await this.requests.forget(uuid, memory);
    const found = await this.find(uuid);
    if (!found) return { state: 'gone', publicIp };
    if (isLocked(found)) return { state: 'busy', publicIp };
    const { status, qmpstatus = status } = found.status;
    if (status === 'stopped') return { state: 'stopped', publicIp };
    return { ...runStateOf(String(qmpstatus)), publicIp: await this.address(found) };
  }

  async probe(machine: KnownMachine, probe: Probe): Promise<boolean> {
    const { publicIp } = await this.observe(machine);
    return publicIp !== null && answers(publicIp, probe);
  }

  /** Proxmox keeps no console output. */
  console(): Promise<null> {
    return Promise.resolve(null);
  }

  /** Sends the next request, unless a task is running, the host locks the machine, or it is destroyed. @throws ProviderFault once for a failed task */
  private async sendNext(
    uuid: string,
    next: (found: ProxmoxMachine | undefined) => Promise<Send | null> | Send | null,
  ): Promise<void> {
    const last = await this.requests.last(uuid);
    const { memory, outcome } = last;
    if (!outcome || memory.isGone) return;
    const found = await this.find(uuid);
    if (found && isLocked(found)) return;
    const send = await next(found);
    // A failure does not matter when nothing is left to do.
    if (!send) return this.requests.forget(uuid, memory);
    if (outcome === 'failed') return this.requests.reportFailure(uuid, last);
    await this.requests.send(uuid, { before: memory }, send);
  }

  private turn({ path }: ProxmoxMachine, word: string, words?: Words): Send {
    return () => this.api.task('POST', `${path}/status/${word}`, words);
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

/** The host may lock a machine, e.g. during a backup: then it cannot be changed. */
function isLocked({ status }: Pick<ProxmoxMachine, 'status'>): boolean {
  return status.lock !== undefined;
}
