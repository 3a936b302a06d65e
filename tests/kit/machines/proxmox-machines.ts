import type { TestClock } from './provider-fixture.js';

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
  boots: number;
}

interface Task {
  readonly endsMs: number;
  /** Called when the task ends. @returns its exit status */
  readonly finish: () => string;
  exit?: string;
}

/** The machines and tasks of a node `pve`. */
export class ProxmoxMachines {
  readonly all = new Map<number, Vm>();
  /** Guests that ignore a shutdown request. */
  readonly deaf = new Set<number>();
  /** Overrides the exit status of the next task. */
  nextExit: string | undefined;
  private readonly tasks = new Map<string, Task>();
  private taskCount = 0;

  /** Duration of a task in milliseconds. */
  taskMs = 3_000;
  /** ISO images by name, as latin1 strings. */
  readonly discs = new Map<string, string>();

  constructor(private readonly clock: Pick<TestClock, 'nowMs'>) {}

  discsHeld(): unknown {
    this.settle();
    return [...this.discs].map(([volid, { length }]) => ({ volid, content: 'iso', format: 'iso', size: length }));
  }

  upload({ content, filename = '' }: Fields): string {
    if (content !== 'iso') throw new Refusal(400, 'content: not iso');
    const [name = '', ...bytes] = filename.split('\n');
    return this.task('imgcopy', 0, () => void this.discs.set(`local:iso/${name}`, bytes.join('\n')));
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
    return this.task('qmclone', vmid, finish, () => this.all.delete(id));
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
    return this.task('resize', vmid, () => {
      config[disk] = String(config[disk]).replace(/size=\w+/, `size=${size}`);
    });
  }

  start(vmid: number): string {
    const vm = this.commanded(vmid);
    return this.task('qmstart', vmid, () => {
      if (vm.status === 'stopped') this.boot(vm);
    });
  }

  stop(vmid: number): string {
    const vm = this.commanded(vmid);
    return this.task('qmstop', vmid, () => void (vm.status = 'stopped'));
  }

  shutdown(vmid: number, { forceStop }: Fields): string {
    const vm = this.commanded(vmid);
    if (this.deaf.has(vmid) && forceStop !== '1') this.nextExit = 'VM quit/powerdown failed - got timeout';
    return this.task('qmshutdown', vmid, () => void (vm.status = 'stopped'));
  }

  reboot(vmid: number): string {
    const vm = this.running(vmid);
    if (this.deaf.has(vmid)) this.nextExit = 'VM quit/powerdown failed - got timeout';
    return this.task('qmreboot', vmid, () => this.boot(vm));
  }

  reset(vmid: number): string {
    const vm = this.running(vmid);
    return this.task('qmreset', vmid, () => void (vm.boots += 1));
  }

  destroy(vmid: number): string {
    if (this.commanded(vmid).status === 'running') throw new Refusal(500, `VM ${vmid} is running - destroy failed`);
    return this.task('qmdestroy', vmid, () => void this.all.delete(vmid));
  }

  taskStatus(upid: string): unknown {
    this.settle();
    const task = this.tasks.get(upid);
    if (!task) throw new Refusal(400, 'upid: no such task');
    return task.exit === undefined ? { upid, status: 'running' } : { upid, status: 'stopped', exitstatus: task.exit };
  }

  /** Deletes the logs of old tasks. Source: pve-manager, bin/pveupdate, cleanup_tasks */
  deleteTaskLogs(): void {
    this.settle();
    for (const [upid, { exit }] of this.tasks) if (exit !== undefined) this.tasks.delete(upid);
  }

  private boot(vm: Vm): void {
    Object.assign(vm, { status: 'running', bootedMs: this.clock.nowMs, boots: vm.boots + 1 });
  }

  private task(kind: string, vmid: number, finish: () => unknown, undo: () => unknown = () => undefined): string {
    const upid = `UPID:pve:0000${this.taskCount++}:00000000:65000000:${kind}:${vmid}:cloud@pve!archipelago:`;
    const exit = this.nextExit ?? 'OK';
    this.nextExit = undefined;
    const done = () => {
      (exit === 'OK' ? finish : undo)();
      return exit;
    };
    this.tasks.set(upid, { endsMs: this.clock.nowMs + this.taskMs, finish: done });
    return upid;
  }

  /** Ends the tasks that are due. */
  private settle(): void {
    for (const task of this.tasks.values())
      if (task.exit === undefined && task.endsMs <= this.clock.nowMs) task.exit = task.finish();
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
    if (vm.lock) this.nextExit = `VM is locked (${vm.lock})`;
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
