import type { MachineSpec } from '../provider.js';
import type { VolumeFile } from './volume.rules.js';

/** User name for SSH on every image. */
export const SSH_USER = 'cloud';

/** Volume label for cloud-init. Source: cloud-init, NoCloud */
export const SEED_LABEL = 'cidata';

/**
 * Files of a cloud-init seed. Source: cloud-init, NoCloud and cloud config; JSON is valid YAML
 * @param mac of the first network card; undefined: the guest chooses a card
 */
export function seedOf(spec: MachineSpec, mac: string | undefined): VolumeFile[] {
  return [
    { name: 'meta-data', content: json({ 'instance-id': spec.uuid, 'local-hostname': spec.hostName }) },
    ...(mac === undefined ? [] : [{ name: 'network-config', content: json(networkOf(mac)) }]),
    { name: 'user-data', content: userData(spec) },
  ];
}

/**
 * DHCP for the first card, matched by MAC address, because only Netplan supports matching by name pattern.
 * Source: cloud-init, Networking Config Version 2
 */
function networkOf(mac: string): object {
  return { version: 2, ethernets: { first: { match: { macaddress: mac }, dhcp4: true, dhcp6: false } } };
}

/** User data: the SSH user, then the additional parts, as a MIME multipart for cloud-init. */
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

/** First lines of cloud-init parts and their content types. Source: cloud-init, user-data formats */
const KINDS = [
  ['#!', 'text/x-shellscript'],
  ['#cloud-config', 'text/cloud-config'],
  ['## template: jinja', 'text/jinja2'],
] as const;

/** Whether the text is a supported cloud-init part. */
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

/** Installs the required packages, then runs the join command. Source: docs/joining */
export function joinParts(joinCommand: string): string[] {
  const packages = { package_update: true, packages: ['curl', 'nebula', 'nftables'] };
  return [`#cloud-config\n${json(packages)}`, joinScript(joinCommand)];
}

/** Seconds between attempts, ten minutes in total, because the platform may be restarting during the first boot. */
const PAUSES = '5 10 20 40 80 160 320';

/** Prefers Bash, because not every `sh` supports `pipefail`. */
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
