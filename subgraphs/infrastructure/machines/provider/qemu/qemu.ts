import { mkdir } from 'node:fs/promises';
import type { QemuConfig } from '../../../config.js';
import {
  ProviderFault,
  type KnownMachine,
  type Machine,
  type MachineSpec,
  type Observation,
  type ObservedMachine,
  type Probe,
  type ProviderDependencies,
  type VmProvider,
} from '../provider.js';
import { answers } from '../probe.js';
import { runStateOf } from '../run-state.rules.js';
import { probeAcceleration } from './acceleration.js';
import { commandLine, FILES, LOOPBACK, type Acceleration } from './command-line.rules.js';
import { EventWatch } from './event-watch.js';
import { killMachine, processOf, startQemu, waitUntilExited } from './host-process.js';
import { withHostLock } from './lock.js';
import { MachineFiles, type KeptMachine } from './machine-files.js';
import { connects, findPorts } from './ports.js';
import { Qmp } from './qmp.js';

/** Milliseconds for a guest to shut down before it is forced off. */
const GRACE_MS = 60_000;

/** State shared by the machines of this host in this process. */
export class QemuHost {
  readonly files: MachineFiles;
  readonly events = new EventWatch();
  readonly mayGoOut: boolean;
  private probed: Promise<Acceleration> | undefined;

  private constructor({ machines, images, mayGoOut }: QemuConfig) {
    this.files = new MachineFiles(machines, images);
    this.mayGoOut = mayGoOut;
  }

  /** @throws ConfigError when QEMU is not installed */
  static async open(config: QemuConfig): Promise<QemuHost> {
    await mkdir(config.machines, { recursive: true, mode: 0o700 });
    return new QemuHost(config);
  }

  /** Probed once. */
  acceleration(): Promise<Acceleration> {
    this.probed ??= probeAcceleration();
    // A failure is not kept.
    this.probed.catch(() => (this.probed = undefined));
    return this.probed;
  }
}

/** Machines run by QEMU on this host. They continue without the platform and are found again by their directories. */
export class QemuProvider implements VmProvider {
  constructor(
    private readonly dependencies: ProviderDependencies,
    private readonly host: QemuHost,
  ) {}

  async create(spec: MachineSpec): Promise<string> {
    const { uuid } = spec;
    if (spec.goesOut && !this.host.mayGoOut)
      throw new ProviderFault(
        'Virtual machines on this host cannot open outgoing connections, so they cannot join a network.',
      );
    await withHostLock(uuid, async () => {
      if (await this.host.files.isGone(uuid)) return;
      if (!(await this.host.files.read(uuid))) await this.host.files.make(spec);
      await this.boot(uuid);
    });
    return `qemu:${uuid}`;
  }

  start({ uuid }: Machine): Promise<void> {
    return withHostLock(uuid, () => this.boot(uuid));
  }

  stop({ uuid, requestedAt }: Machine): Promise<void> {
    return withHostLock(uuid, async () => {
      const isPatient = this.dependencies.now().getTime() - requestedAt.getTime() < GRACE_MS;
      const isSent = this.sendCommands(uuid, async (qmp) => {
        await qmp.execute('set-action', { shutdown: 'poweroff' });
        const isDown = (await runState(qmp)) === 'shutdown';
        await qmp.execute(isPatient && !isDown ? 'system_powerdown' : 'quit');
      });
      // Kill a QEMU that no longer responds after the grace period.
      if (!isPatient) await isSent.then(() => waitUntilExited(this.directory(uuid), uuid)).catch(() => this.kill(uuid));
      else await isSent;
    });
  }

  reboot({ uuid, requestedAt, command }: Machine): Promise<void> {
    return withHostLock(uuid, async () => {
      const machine = await this.kept(uuid);
      const isNew = machine.reboot?.command !== command;
      if (isNew) await this.host.files.write(uuid, { ...machine, reboot: { command, isDone: false } });
      if ((await processOf(this.directory(uuid), uuid)) === undefined) return this.boot(uuid);
      const isPatient = this.dependencies.now().getTime() - requestedAt.getTime() < GRACE_MS;
      await this.sendCommands(uuid, async (qmp) => {
        const state = await runState(qmp);
        const isDown = state === 'shutdown';
        if (!isNew && machine.reboot?.isDone) return isHalted(state) && (await restartGuest(qmp));
        if (isPatient && !isDown) {
          // The guest shuts down cleanly and QEMU pauses, ready for a restart.
          await qmp.execute('set-action', { shutdown: 'pause' });
          return qmp.execute('system_powerdown');
        }
        if (!isDown) await qmp.execute('stop');
        // Recorded first, so that a repetition finds it waiting or running again.
        await this.host.files.write(uuid, { ...machine, reboot: { command, isDone: true } });
        return restartGuest(qmp);
      });
    });
  }

  destroy({ uuid }: Machine): Promise<void> {
    return withHostLock(uuid, async () => {
      await this.host.files.markGone(uuid);
      await this.kill(uuid);
      await this.host.files.remove(uuid);
    });
  }

  async observe({ uuid, command }: ObservedMachine): Promise<Observation> {
    const machine = await this.host.files.read(uuid);
    if (!machine) return { state: 'gone', publicIp: null };
    await this.host.files.shortenConsole(uuid);
    const sshPort = machine.forwards.find(({ guest }) => guest === 22)?.host ?? null;
    const seen = await this.readState(uuid, command);
    const isRebooting =
      seen.state === 'running' && machine.reboot?.isDone === false && machine.reboot.command === command;
    return { ...seen, ...(isRebooting && { state: 'busy' }), publicIp: LOOPBACK, sshPort };
  }

  async probe({ uuid }: KnownMachine, { port, path }: Probe): Promise<boolean> {
    const machine = await this.host.files.read(uuid);
    const way = machine?.forwards.find(({ guest }) => guest === port);
    if (!way) return false;
    if (path !== null) return answers(LOOPBACK, { port: way.host, path });
    return connects(way, (say) => this.sendCommands(uuid, say));
  }

  async console({ uuid }: KnownMachine, bytes: number): Promise<string | null> {
    return (await this.host.files.read(uuid)) ? this.host.files.console(uuid, bytes) : null;
  }

  private directory(uuid: string): string {
    return this.host.files.directoryOf(uuid);
  }

  private kill(uuid: string): Promise<void> {
    return killMachine(this.directory(uuid), uuid);
  }

  private async kept(uuid: string): Promise<KeptMachine> {
    const machine = await this.host.files.read(uuid);
    if (!machine) throw new ProviderFault('The virtual machine no longer exists on the host.');
    return machine;
  }

  /** Starts QEMU unless it is running. */
  private async boot(uuid: string): Promise<void> {
    const machine = await this.kept(uuid);
    const directory = this.directory(uuid);
    if ((await processOf(directory, uuid)) !== undefined) return;
    const { cpuCores, memoryMb, reboot } = machine;
    if (memoryMb * 2 ** 20 > process.availableMemory())
      throw new ProviderFault(`The host does not have ${memoryMb} MB of free memory.`);
    const forwards = await findPorts(uuid, machine.forwards);
    await this.host.files.write(uuid, {
      ...machine,
      forwards,
      // A pending reboot is completed by this start.
      ...(reboot && { reboot: { ...reboot, isDone: true } }),
    });
    const acceleration = await this.host.acceleration();
    const { mayGoOut } = this.host;
    await startQemu(commandLine({ uuid, cpuCores, memoryMb, acceleration, forwards, mayGoOut }), directory);
  }

  /** Sends commands to QEMU; does nothing when it is not running. */
  private async sendCommands(uuid: string, say: (qmp: Qmp) => Promise<unknown>): Promise<void> {
    if ((await processOf(this.directory(uuid), uuid)) === undefined) return;
    const qmp = await Qmp.open(this.directory(uuid), FILES.qmp);
    try {
      await say(qmp);
    } finally {
      qmp.close();
    }
  }

  private async readState(uuid: string, command?: string): Promise<Pick<Observation, 'state' | 'reason'>> {
    const found: { word?: string } = {};
    try {
      await this.sendCommands(uuid, async (qmp) => (found.word = await runState(qmp)));
    } catch (error) {
      // QEMU ended during the request, or does not respond.
      await waitUntilExited(this.directory(uuid), uuid).catch(() => {
        throw error;
      });
    }
    if (found.word === undefined) return { state: 'stopped' };
    this.host.events.listen(uuid, this.directory(uuid), this.dependencies.changed);
    return command === undefined && isHalted(found.word) ? HALTED : runStateOf(found.word);
  }
}

/** What a reboot that was given up can leave behind. */
const HALTED = { state: 'broken', reason: 'The virtual machine halted in a reboot that did not end.' } as const;

/** Before its reset, a guest waits in `shutdown` or `paused`, after it in `prelaunch`. */
function isHalted(state: string): boolean {
  return state === 'shutdown' || state === 'paused' || state === 'prelaunch';
}

async function runState(qmp: Qmp): Promise<string> {
  const answer = await qmp.execute('query-status');
  const status = typeof answer === 'object' && answer !== null && 'status' in answer ? answer.status : undefined;
  return typeof status === 'string' ? status : 'unknown';
}

/** Restarts the guest. */
async function restartGuest(qmp: Qmp): Promise<void> {
  await qmp.execute('set-action', { shutdown: 'poweroff' });
  await qmp.execute('system_reset');
  await qmp.execute('cont');
}
