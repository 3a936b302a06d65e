import type { TestClock } from './provider-fixture.js';
import { ProxmoxTasks } from './proxmox-tasks.js';

export type Fields = Readonly<Record<string, string>>;

/** An error response. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface Vm {
  readonly config: Record<string, string | number>;
  status: 'stopped' | 'running';
  lock?: string;
  /** The run state of QEMU, where it is another than the status. */
  qmpstatus?: string;
  isTemplate: boolean;
  bootedMs: number;
  /** When it starts by itself. */
  restartsMs?: number;
  boots: number;
}

/** Milliseconds from the end of a reboot task to the start of the machine, by the daemon that sees the guest end. Source: qemu-server, CLI/qm.pm, cleanup */
const RESTART_MS = 1_000;

/** The machines of a node `pve`. */
export class ProxmoxMachines {
  readonly all = new Map<number, Vm>();
  /** Guests that ignore a shutdown request. */
  readonly ignoresShutdown = new Set<number>();
  readonly tasks: ProxmoxTasks;
  /** ISO images by name, as latin1 strings. */
  readonly discs = new Map<string, string>();

  constructor(private readonly clock: Pick<TestClock, 'nowMs'>) {
    this.tasks = new ProxmoxTasks(clock);
  }

  discsHeld(): unknown {
    this.settle();
    return [...this.discs].map(([volid, { length }]) => ({ volid, content: 'iso', format: 'iso', size: length }));
  }

  upload({ content, filename = '' }: Fields): string {
    if (content !== 'iso') throw new Refusal(400, 'content: not iso');
    const [name = '', ...bytes] = filename.split('\n');
    return this.tasks.start('imgcopy', 0, { finish: () => this.discs.set(`local:iso/${name}`, bytes.join('\n')) });
  }

  removeDisc(volid: string): null {
    if (!this.discs.delete(volid)) throw new Refusal(500, `volume '${volid}' does not exist`);
    return null;
  }

  addTemplate(vmid: number, name: string, size = '2252M'): void {
    const scsi0 = `local-lvm:base-${vmid}-disk-0,size=${size}`;
    const config = {
      name,
      boot: 'order=scsi0;net0',
      scsi0,
      ide2: `local-lvm:vm-${vmid}-cloudinit,media=cdrom`,
      net0: 'virtio=BC:24:11:00:00:00,bridge=vmbr0',
    };
    this.all.set(vmid, { config, status: 'stopped', isTemplate: true, bootedMs: 0, boots: 0 });
  }

  resources(): unknown {
    this.settle();
    return [...this.all].map(([vmid, { config, isTemplate, status }]) => ({
      id: `qemu/${vmid}`,
      type: 'qemu',
      node: 'pve',
      vmid,
      name: config.name ?? `VM ${vmid}`,
      template: isTemplate ? 1 : 0,
      status,
    }));
  }

  current(vmid: number): unknown {
    const { status, qmpstatus = status, lock, config, bootedMs } = this.vm(vmid);
    const uptime = status === 'running' ? Math.floor((this.clock.nowMs - bootedMs) / 1_000) : 0;
    return { vmid, name: config.name, status, qmpstatus, uptime, ...(lock && { lock }) };
  }

  config(vmid: number): unknown {
    const { config, lock } = this.vm(vmid);
    return { ...config, ...(lock && { lock }), digest: '0' };
  }

  interfaces(vmid: number): unknown {
    const { status, config } = this.vm(vmid);
    if (status !== 'running') throw new Refusal(500, 'QEMU guest agent is not running');
    const mac = /[0-9A-F:]{17}/.exec(String(config.net0))?.[0]?.toLowerCase();
    const address = `192.0.2.${(vmid % 250) + 1}`;
    return {
      result: [
        { name: 'lo', 'hardware-address': '00:00:00:00:00:00', 'ip-addresses': [{ 'ip-address': '127.0.0.1' }] },
        { name: 'docker0', 'hardware-address': '02:42:00:00:00:01', 'ip-addresses': [{ 'ip-address': '172.17.0.1' }] },
        {
          name: 'eth0',
          'hardware-address': mac,
          'ip-addresses': [{ 'ip-address': 'fe80::1' }, { 'ip-address': address }],
        },
      ],
    };
  }

  clone(vmid: number, { newid = '', name = '', description = '' }: Fields): string {
    const template = this.vm(vmid);
    const id = Number(newid);
    if (this.all.has(id)) throw new Refusal(500, `unable to create VM ${id}: config file already exists`);
    const vm: Vm = { config: {}, status: 'stopped', lock: 'clone', isTemplate: false, bootedMs: 0, boots: 0 };
    this.all.set(id, vm);
    const finish = () => {
      const mac = `BC:24:11:00:00:${(id % 200).toString(16).padStart(2, '0').toUpperCase()}`;
      Object.assign(vm.config, template.config, {
        name,
        description: `${description}\n`,
        net0: `virtio=${mac},bridge=vmbr0`,
      });
      delete vm.lock;
    };
    return this.tasks.start('qmclone', id, { finish, undo: () => this.all.delete(id) });
  }

  change(vmid: number, fields: Fields): null {
    const { sshkeys } = fields;
    // Source: PVE::JSONSchema, format urlencoded
    if (sshkeys !== undefined && !/^[-%a-zA-Z0-9_.!~*'()]*$/.test(sshkeys))
      throw new Refusal(400, 'sshkeys: invalid urlencoded string');
    Object.assign(this.unlocked(vmid).config, fields);
    return null;
  }

  resize(vmid: number, { disk = '', size = '' }: Fields): string {
    const { config } = this.unlocked(vmid);
    const finish = () => {
      config[disk] = String(config[disk]).replace(/size=\w+/, `size=${size}`);
    };
    return this.tasks.start('resize', vmid, { finish });
  }

  start(vmid: number): string {
    const vm = this.commanded(vmid);
    const finish = () => {
      if (vm.status === 'running') throw new Error(`VM ${vmid} already running`);
      this.boot(vm);
    };
    return this.tasks.start('qmstart', vmid, { finish });
  }

  stop(vmid: number): string {
    const vm = this.commanded(vmid);
    return this.tasks.start('qmstop', vmid, { finish: () => (vm.status = 'stopped') });
  }

  shutdown(vmid: number, { forceStop }: Fields): string {
    const vm = this.commanded(vmid);
    if (this.ignoresShutdown.has(vmid) && forceStop !== '1')
      this.tasks.nextExit = 'VM quit/powerdown failed - got timeout';
    return this.tasks.start('qmshutdown', vmid, { finish: () => (vm.status = 'stopped') });
  }

  reboot(vmid: number): string {
    const vm = this.running(vmid);
    if (this.ignoresShutdown.has(vmid)) this.tasks.nextExit = 'VM quit/powerdown failed - got timeout';
    const finish = () => {
      if (vm.status === 'running') Object.assign(vm, { status: 'stopped', restartsMs: this.clock.nowMs + RESTART_MS });
    };
    return this.tasks.start('qmreboot', vmid, { finish });
  }

  destroy(vmid: number): string {
    if (this.commanded(vmid).status === 'running') throw new Refusal(500, `VM ${vmid} is running - destroy failed`);
    return this.tasks.start('qmdestroy', vmid, { finish: () => this.all.delete(vmid) });
  }

  taskStatus(upid: string): unknown {
    this.settle();
    const status = this.tasks.status(upid);
    if (status === undefined) throw new Refusal(400, 'upid: no such task');
    return status;
  }

  private boot(vm: Vm): void {
    if (vm.status === 'stopped')
      Object.assign(vm, { status: 'running', bootedMs: this.clock.nowMs, boots: vm.boots + 1 });
    delete vm.restartsMs;
  }

  private settle(): void {
    this.tasks.settle();
    for (const vm of this.all.values())
      if (vm.restartsMs !== undefined && vm.restartsMs <= this.clock.nowMs) this.boot(vm);
  }

  private vm(vmid: number): Vm {
    this.settle();
    const vm = this.all.get(vmid);
    if (!vm) throw new Refusal(500, `Configuration file 'nodes/pve/qemu-server/${vmid}.conf' does not exist`);
    return vm;
  }

  /** The machine of a command. While it is locked, the task is accepted and fails. Source: PVE::API2::Qemu */
  private commanded(vmid: number): Vm {
    const vm = this.vm(vmid);
    if (vm.lock) this.tasks.nextExit = `VM is locked (${vm.lock})`;
    return vm;
  }

  private running(vmid: number): Vm {
    const vm = this.commanded(vmid);
    if (vm.status !== 'running') throw new Refusal(500, `VM ${vmid} not running`);
    return vm;
  }

  private unlocked(vmid: number): Vm {
    const vm = this.vm(vmid);
    if (vm.lock) throw new Refusal(500, `VM is locked (${vm.lock})`);
    return vm;
  }
}
