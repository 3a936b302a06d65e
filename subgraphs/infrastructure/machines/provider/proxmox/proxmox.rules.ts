import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { MachineSpec } from '../provider.js';
import { SSH_USER } from '../seed/seed.rules.js';

/** Range of machine ids (vmid). Proxmox allows 100 to 999999999; people usually choose low ones. */
const NUMBERS = { from: 100_000_000, count: 899_999_999 } as const;

/**
 * The vmid of a machine, derived from its uuid, so that a concurrent creation is refused and the machine is found after a
 * lost response.
 */
export function vmidOf(uuid: string): number {
  return NUMBERS.from + (createHash('sha256').update(uuid).digest().readUInt32BE() % NUMBERS.count);
}

/** Description that marks a machine as created by the platform. */
export function markOf(uuid: string): string {
  return `archipelago:${uuid}`;
}

/** Whether the platform created the machine. Its operator may have written notes before or after the mark. */
export function isMarked({ description }: Config, uuid: string): boolean {
  return textOf(description)
    .split('\n')
    .some((line) => line.trim() === markOf(uuid));
}

/** Settings of a machine in addition to its template. Source: qm, Cloud-Init options */
export function settingsOf(spec: MachineSpec): Record<string, string | number> {
  return {
    cores: spec.cpuCores,
    sockets: 1,
    memory: spec.memoryMb,
    agent: 'enabled=1',
    onboot: 1,
    ciuser: SSH_USER,
    // Proxmox expects this value percent-encoded; the form encodes it again.
    sshkeys: encodeURIComponent(spec.sshPublicKey),
    ipconfig0: 'ip=dhcp',
  };
}

type Config = Readonly<Record<string, unknown>>;

/** The boot disk and its size in GiB; undefined: none. */
export function bootDisk(config: Config): { readonly name: string; readonly gib: number } | undefined {
  const order = /order=([^,]+)/.exec(textOf(config.boot))?.[1]?.split(';') ?? [];
  const names = [...order, textOf(config.bootdisk), 'scsi0', 'virtio0', 'sata0', 'ide0'];
  const name = names.find((one) => /^(?:scsi|virtio|sata|ide)\d+$/.test(one) && isDisk(textOf(config[one])));
  return name === undefined ? undefined : { name, gib: gibOf(textOf(config[name])) };
}

function isDisk(value: string): boolean {
  return value !== '' && !value.includes('media=cdrom');
}

/** Size in GiB from `local-lvm:vm-1-disk-0,size=2252M`; 0 when missing. */
function gibOf(value: string): number {
  const [, number = '0', unit = ''] = /(?:^|,)size=(\d+(?:\.\d+)?)([KMGT]?)/.exec(value) ?? [];
  const power = { '': -3, K: -2, M: -1, G: 0, T: 1 }[unit] ?? 0;
  return Number(number) * 1024 ** power;
}

/** The drive for a seed: the one that has it, else the cloud-init drive of Proxmox, which it replaces. */
export function seedDrive(config: Config, seed: string): string {
  const drives = Object.keys(config).filter((name) => /^(?:ide|sata|scsi)\d+$/.test(name));
  const holds = (word: string) => drives.find((name) => textOf(config[name]).includes(word));
  return holds(seed) ?? holds('cloudinit') ?? 'ide2';
}

interface Interface {
  readonly 'hardware-address'?: unknown;
  readonly 'ip-addresses'?: unknown;
}

/** The address of the first network card from the guest agent (untrusted); null until it has one. */
export function addressOf(config: Config, interfaces: unknown): string | null {
  const mac = macOf(config);
  const cards = Array.isArray(interfaces) ? (interfaces as Interface[]) : [];
  const card = cards.find((one) => textOf(one['hardware-address']).toLowerCase() === mac);
  const addresses = Array.isArray(card?.['ip-addresses']) ? (card['ip-addresses'] as Record<string, unknown>[]) : [];
  const found = addresses.map((one) => textOf(one['ip-address'])).find(isReachable);
  return found ?? null;
}

/** MAC address of the first network card; undefined: none. */
export function macOf(config: Config): string | undefined {
  return /[0-9A-F]{2}(?::[0-9A-F]{2}){5}/i.exec(textOf(config.net0))?.[0]?.toLowerCase();
}

/** An IPv4 address that is not loopback, link-local or multicast. */
function isReachable(address: string): boolean {
  return isIPv4(address) && !/^(?:0|127|169\.254|22[4-9]|2[3-5]\d)\./.test(address);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** How a task ended: it succeeded, it failed, or the answer to its request was lost and nobody knows whether it ran. */
export type Outcome = 'succeeded' | 'failed' | 'unanswered';

/** The outcome for the exit status of a task. */
export function outcomeOf(exit: unknown): Outcome {
  const isSuccess = typeof exit === 'string' && (exit === 'OK' || exit.startsWith('WARNINGS'));
  return isSuccess ? 'succeeded' : 'failed';
}

interface Reboot {
  /** Whether the last task belongs to this reboot. */
  readonly isBegun: boolean;
  readonly outcome: Outcome;
  readonly secondsSinceRequest: number;
}

/** The next request of a reboot; `again`: the host locked the machine, `wait`: it locks it, `done`: none. */
export function rebootStep(
  { status, lock, uptime }: Config,
  { isBegun, outcome, secondsSinceRequest }: Reboot,
): 'start' | 'stop' | 'reboot' | 'again' | 'wait' | 'done' {
  const hasFailed = isBegun && outcome === 'failed';
  if (lock !== undefined) return hasFailed ? 'again' : 'wait';
  if (status === 'stopped') return 'start';
  // It booted after the request, whatever became of the task: e.g. the host was faster to start it than our request.
  if (Number(uptime) < Math.floor(secondsSinceRequest)) return 'done';
  // The guest did not shut down in time. A reset would leave no trace if its answer were lost.
  if (hasFailed) return 'stop';
  return isBegun && outcome === 'succeeded' ? 'done' : 'reboot';
}
