import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { MachineSpec } from '../provider.js';
import { SSH_USER } from '../seed/seed.rules.js';

/** Numbers that Proxmox gives to machines end at 999999999; those that people choose begin at 100. */
const NUMBERS = { from: 100_000_000, count: 899_999_999 } as const;

/**
 * The number of a machine at Proxmox: follows from its uuid, so that of two that make it one is refused, and a machine is
 * found again though the answer to its making was lost.
 */
export function vmidOf(uuid: string): number {
  return NUMBERS.from + (createHash('sha256').update(uuid).digest().readUInt32BE() % NUMBERS.count);
}

/** By which a machine is known to be ours, in its description. */
export function markOf(uuid: string): string {
  return `archipelago:${uuid}`;
}

/** What a machine is told beside what its template says. Source: qm, Cloud-Init options */
export function settingsOf(spec: MachineSpec): Record<string, string | number> {
  return {
    cores: spec.cpuCores,
    sockets: 1,
    memory: spec.memoryMb,
    agent: 'enabled=1',
    onboot: 1,
    ciuser: SSH_USER,
    // A percent-encoded list of lines inside of a form, which encodes it once more.
    sshkeys: encodeURIComponent(spec.sshPublicKey),
    ipconfig0: 'ip=dhcp',
  };
}

type Config = Readonly<Record<string, unknown>>;

/** The disk it starts from, and its GiB. Undefined: it has none. */
export function bootDisk(config: Config): { readonly name: string; readonly gib: number } | undefined {
  const order = /order=([^,]+)/.exec(textOf(config.boot))?.[1]?.split(';') ?? [];
  const names = [...order, textOf(config.bootdisk), 'scsi0', 'virtio0', 'sata0', 'ide0'];
  const name = names.find((one) => /^(?:scsi|virtio|sata|ide)\d+$/.test(one) && isDisk(textOf(config[one])));
  return name === undefined ? undefined : { name, gib: gibOf(textOf(config[name])) };
}

function isDisk(value: string): boolean {
  return value !== '' && !value.includes('media=cdrom');
}

/** GiB of `local-lvm:vm-1-disk-0,size=2252M`; 0 where it does not say. */
function gibOf(value: string): number {
  const [, number = '0', unit = ''] = /(?:^|,)size=(\d+(?:\.\d+)?)([KMGT]?)/.exec(value) ?? [];
  const power = { '': -3, K: -2, M: -1, G: 0, T: 1 }[unit] ?? 0;
  return Number(number) * 1024 ** power;
}

/** The drive for a seed: the one that has it, else the one of Proxmox's own, which it replaces. */
export function seedDrive(config: Config, seed: string): string {
  const drives = Object.keys(config).filter((name) => /^(?:ide|sata|scsi)\d+$/.test(name));
  const holds = (word: string) => drives.find((name) => textOf(config[name]).includes(word));
  return holds(seed) ?? holds('cloudinit') ?? 'ide2';
}

interface Interface {
  readonly 'hardware-address'?: unknown;
  readonly 'ip-addresses'?: unknown;
}

/** The address of the first card as the guest's agent tells it; null until it has one. The guest may say what it likes. */
export function addressOf(config: Config, interfaces: unknown): string | null {
  const mac = macOf(config);
  const cards = Array.isArray(interfaces) ? (interfaces as Interface[]) : [];
  const card = cards.find((one) => textOf(one['hardware-address']).toLowerCase() === mac);
  const addresses = Array.isArray(card?.['ip-addresses']) ? (card['ip-addresses'] as Record<string, unknown>[]) : [];
  const found = addresses.map((one) => textOf(one['ip-address'])).find(isReachable);
  return found ?? null;
}

/** Of the first card; undefined: it has none. */
export function macOf(config: Config): string | undefined {
  return /[0-9A-F]{2}(?::[0-9A-F]{2}){5}/i.exec(textOf(config.net0))?.[0]?.toLowerCase();
}

/** Neither this host's own, nor the link's, nor many. */
function isReachable(address: string): boolean {
  return isIPv4(address) && !/^(?:0|127|169\.254|22[4-9]|2[3-5]\d)\./.test(address);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
