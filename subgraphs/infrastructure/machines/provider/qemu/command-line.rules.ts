/** How the guest's instructions are run: by the processor, or one by one by QEMU. */
export type Acceleration = 'kvm' | 'tcg';

/** How a machine is put together. */
export interface MachineParts {
  readonly uuid: string;
  readonly cpuCores: number;
  readonly memoryMb: number;
  readonly acceleration: Acceleration;
  /** Ports of this host, on loopback, by the port of the guest that is reached through each. */
  readonly forwards: readonly Forward[];
  /** Whether the guest may open connections by itself. */
  readonly mayGoOut: boolean;
}

/** A port of this host that leads to one of the guest. */
export interface Forward {
  readonly host: number;
  readonly guest: number;
}

/** The files of a machine, in the directory in which its QEMU runs. */
export const FILES = {
  disk: 'disk.qcow2',
  seed: 'seed.iso',
  console: 'console.log',
  pid: 'pid',
  /** What QEMU itself complains of. */
  log: 'qemu.log',
  /** For commands. */
  qmp: 'qmp.sock',
  /** For who listens to events: QEMU speaks with one at a time on each. */
  events: 'events.sock',
} as const;

/** Where a guest's ports are reached on this host. */
export const LOOPBACK = '127.0.0.1';

/** The words by which QEMU runs a machine, in its directory. */
export function commandLine(parts: MachineParts): string[] {
  const { uuid, cpuCores, memoryMb, acceleration, forwards, mayGoOut } = parts;
  const ways = forwards.map(({ host, guest }) => `,hostfwd=tcp:${LOOPBACK}:${host}-:${guest}`);
  return [
    ['-name', `guest=${uuid}`, '-uuid', uuid],
    ['-machine', `q35,accel=${acceleration},vmport=off,dump-guest-core=off`],
    ['-cpu', acceleration === 'kvm' ? 'host' : 'max', '-smp', `${cpuCores}`, '-m', `${memoryMb}M`],
    // Nothing that is not named here: no screen, no floppy, no sound, no file of settings.
    ['-nodefaults', '-no-user-config', '-display', 'none', '-vga', 'none'],
    ['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'],
    ['-drive', `if=none,id=disk,format=qcow2,file=${FILES.disk},discard=unmap,werror=stop`],
    ['-device', 'virtio-blk-pci,drive=disk,bootindex=0'],
    ['-drive', `if=none,id=seed,format=raw,readonly=on,file=${FILES.seed}`, '-device', 'virtio-blk-pci,drive=seed'],
    ['-netdev', `user,id=net,ipv6=off,restrict=${mayGoOut ? 'off' : 'on'}${ways.join('')}`],
    ['-device', `virtio-net-pci,netdev=net,romfile=,mac=${macOf(uuid)}`, '-device', 'virtio-rng-pci'],
    ['-chardev', `file,id=console,append=on,path=${FILES.console}`, '-serial', 'chardev:console'],
    ['-qmp', `unix:${FILES.qmp},server=on,wait=off`, '-qmp', `unix:${FILES.events},server=on,wait=off`],
    ['-pidfile', FILES.pid],
  ].flat();
}

/** Of the machine's card, in the range of QEMU: nobody else is on its wire. */
export function macOf(uuid: string): string {
  return ['52:54:00', ...(uuid.slice(-6).match(/../g) ?? [])].join(':');
}
