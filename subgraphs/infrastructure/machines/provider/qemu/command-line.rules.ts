/** Hardware virtualization (`kvm`) or emulation (`tcg`). */
export type Acceleration = 'kvm' | 'tcg';

/** Parts of a QEMU command line. */
export interface MachineParts {
  readonly uuid: string;
  readonly cpuCores: number;
  readonly memoryMb: number;
  readonly acceleration: Acceleration;
  /** Forwarded ports from loopback to the guest. */
  readonly forwards: readonly Forward[];
  /** Whether the guest may open outgoing connections. */
  readonly mayGoOut: boolean;
}

/** A port of the host that is forwarded to a port of the guest. */
export interface Forward {
  readonly host: number;
  readonly guest: number;
}

/** Files of a machine, in the working directory of its QEMU. */
export const FILES = {
  disk: 'disk.qcow2',
  seed: 'seed.iso',
  console: 'console.log',
  pid: 'pid',
  /** Error output of QEMU. */
  log: 'qemu.log',
  /** QMP socket for commands. */
  qmp: 'qmp.sock',
  /** QMP socket for events; QEMU serves one client per socket. */
  events: 'events.sock',
} as const;

/** Address of forwarded ports on this host. */
export const LOOPBACK = '127.0.0.1';

/** The QEMU command line of a machine. */
export function commandLine(parts: MachineParts): string[] {
  const { uuid, cpuCores, memoryMb, acceleration, forwards, mayGoOut } = parts;
  const ways = forwards.map(({ host, guest }) => `,hostfwd=tcp:${LOOPBACK}:${host}-:${guest}`);
  return [
    ['-name', `guest=${uuid}`, '-uuid', uuid],
    ['-machine', `q35,accel=${acceleration},vmport=off,dump-guest-core=off`],
    ['-cpu', acceleration === 'kvm' ? 'host' : 'max', '-smp', `${cpuCores}`, '-m', `${memoryMb}M`],
    // No default devices: no display, floppy, sound or configuration file.
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

/** MAC address in the QEMU range. Each machine has its own virtual network, so it need not be unique. */
export function macOf(uuid: string): string {
  return ['52:54:00', ...(uuid.slice(-6).match(/../g) ?? [])].join(':');
}
