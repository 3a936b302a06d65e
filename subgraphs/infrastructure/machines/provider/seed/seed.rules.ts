import type { MachineSpec } from '../provider.js';
import type { VolumeFile } from './volume.rules.js';

/** Who signs in by the SSH key of a machine, whatever its image. */
export const SSH_USER = 'cloud';

/** The label by which cloud-init finds its volume. Source: cloud-init, NoCloud */
export const SEED_LABEL = 'cidata';

/**
 * What a machine is told at its first boot. Source: cloud-init, NoCloud and cloud config; JSON is YAML too
 * @param mac of its first card; undefined: its system finds a card by itself
 */
export function seedOf(spec: MachineSpec, mac: string | undefined): VolumeFile[] {
  return [
    { name: 'meta-data', content: json({ 'instance-id': spec.uuid, 'local-hostname': spec.hostName }) },
    ...(mac === undefined ? [] : [{ name: 'network-config', content: json(networkOf(mac)) }]),
    { name: 'user-data', content: userData(spec) },
  ];
}

/**
 * Whatever the card is called, it is told its address. By its hardware address, since only Netplan finds a card by a
 * pattern of names: what writes files for others takes the key for its name. Source: cloud-init, Networking Config Version 2
 */
function networkOf(mac: string): object {
  return { version: 2, ethernets: { first: { match: { macaddress: mac }, dhcp4: true, dhcp6: false } } };
}

/** The user with the key, then what else there is to do, as parts that cloud-init takes one after the other. */
export function userData(spec: Pick<MachineSpec, 'hostName' | 'sshPublicKey' | 'parts'>): string {
  const base = `#cloud-config\n${json(cloudConfig(spec))}`;
  if (spec.parts.length === 0) return base;
  const parts = [base, ...spec.parts].map(
    (text) =>
      `--${BOUNDARY}\nContent-Type: ${contentType(text)}; charset="utf-8"\nMIME-Version: 1.0\n` +
      `Content-Transfer-Encoding: base64\nX-Merge-Type: list(append)+dict(no_replace,recurse_list)+str()\n\n${lines(text)}\n`,
  );
  return `Content-Type: multipart/mixed; boundary="${BOUNDARY}"\nMIME-Version: 1.0\n\n${parts.join('')}--${BOUNDARY}--\n`;
}

/** No line of base64 begins with dashes. */
const BOUNDARY = 'archipelago-part';

/** First lines by which cloud-init knows a part, and what it is. Source: cloud-init, user-data formats */
const KINDS = [
  ['#!', 'text/x-shellscript'],
  ['#cloud-config', 'text/cloud-config'],
  ['## template: jinja', 'text/jinja2'],
] as const;

/** Whether cloud-init takes the text for something. */
export function isPart(text: string): boolean {
  return KINDS.some(([first]) => text.startsWith(first));
}

function contentType(text: string): string {
  return KINDS.find(([first]) => text.startsWith(first))?.[1] ?? 'text/plain';
}

function lines(text: string): string {
  return (
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\n');
}

function cloudConfig({ hostName, sshPublicKey }: Pick<MachineSpec, 'hostName' | 'sshPublicKey'>): object {
  return {
    hostname: hostName,
    users: [
      {
        name: SSH_USER,
        gecos: 'Owner',
        sudo: 'ALL=(ALL) NOPASSWD:ALL',
        lock_passwd: true,
        ssh_authorized_keys: [sshPublicKey],
      },
    ],
    ssh_pwauth: false,
    disable_root: true,
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The tools that joining needs, then the line that joins. Source: docs/joining */
export function joinParts(joinCommand: string): string[] {
  const packages = { package_update: true, packages: ['curl', 'nebula', 'nftables'] };
  return [`#cloud-config\n${json(packages)}`, joinScript(joinCommand)];
}

/** Seconds between tries, ten minutes in all: there is one first boot, and the platform may be starting anew just then. */
const PAUSES = '5 10 20 40 80 160 320';

/** Bash, where there is one, as not every `sh` can say that the first of two programs in a pipe has failed. */
function joinScript(joinCommand: string): string {
  const quoted = `'${joinCommand.replaceAll("'", "'\\''")}'`;
  return [
    '#!/bin/sh',
    'shell=$(command -v bash || command -v sh)',
    `for pause in ${PAUSES} 0; do`,
    `  "$shell" -o pipefail -c ${quoted} && exit`,
    '  sleep "$pause"',
    'done',
    'exit 1',
    '',
  ].join('\n');
}
