import { createHash } from 'node:crypto';
import { filterTable, portText } from './filter.rules.js';
import type { AddressRule } from '../rights/packet-rule.js';
import type { PeerPlan, Route } from '../compiler/peer-plan.js';

/** Default path of the private key on a machine; the join script replaces it with its own path. */
export const KEY_FILE = '/etc/archipelago/host.key';

/** The overlay network interface on every peer. */
const DEVICE = 'nebula1';

/** A server through which peers find each other. */
export interface Lighthouse {
  /** Its overlay address. */
  readonly ip: string;
  /** `host:port`, reachable outside the overlay. */
  readonly address: string;
}

export interface NebulaSettings {
  readonly plan: PeerPlan;
  /** PEM blocks of all trusted authorities. */
  readonly authorities: string;
  /** PEM. */
  readonly certificate: string;
  /** Path of the private key on the peer. */
  readonly keyFile: string;
  /** Fingerprints in a deterministic order. */
  readonly blocklist: readonly string[];
  readonly lighthouses: readonly Lighthouse[];
  readonly isLighthouse: boolean;
  /** UDP port; 0 for any free port. */
  readonly listenPort: number;
}

/** The plan of a lighthouse: it accepts no traffic. */
export const NO_PLAN: PeerPlan = {
  inbound: [],
  routes: [],
  filter: undefined,
  forwarding: undefined,
  lookup: undefined,
};

/**
 * Writes the configuration of one Nebula process; equal settings give equal text. Comments are instructions for the peer:
 * - `#nft ` lines are a script for `nft -f`; without them, the peer removes the platform's table.
 * - The `#restart ` line changes when SIGHUP is not enough and Nebula must be restarted.
 * - `#resolve ` lines are names whose addresses the peer reports, without the addresses in `#resolve-except `.
 */
export function nebulaConfiguration(settings: NebulaSettings): string {
  const { plan, isLighthouse, listenPort, lighthouses } = settings;
  return [
    ...restartLine(settings),
    ...filterTable(plan, DEVICE).map((line) => `#nft ${line}`),
    ...lookupLines(plan),
    ...trust(settings),
    ...heading(
      'static_host_map',
      lighthouses.map(({ ip, address }) => `${quote(ip)}: [${quote(address)}]`),
      '{}',
    ),
    'lighthouse:',
    `  am_lighthouse: ${isLighthouse}`,
    '  interval: 10',
    ...indented(heading('hosts', isLighthouse ? [] : lighthouses.map(({ ip }) => `- ${quote(ip)}`), '[]')),
    'listen:',
    '  host: 0.0.0.0',
    `  port: ${listenPort}`,
    'punchy:',
    '  punch: true',
    '  respond: true',
    // Seconds between two checks of a tunnel (0: the minimum of half a second), which close it when its certificate is no
    // longer valid, and seconds until a tunnel without replies is closed.
    'timers:',
    '  connection_alive_interval: 0',
    '  pending_deletion_interval: 3',
    'tun:',
    `  disabled: ${isLighthouse}`,
    `  dev: ${DEVICE}`,
    ...indented(heading('unsafe_routes', plan.routes.map(routeItem), '[]')),
    ...firewall(plan),
    '',
  ].join('\n');
}

/** Nebula 1.6.1 reads its port and routes only at start; 1.9 and later reload routes. Source: overlay/tun_linux.go */
function restartLine({ plan, listenPort, isLighthouse }: NebulaSettings): string[] {
  const fixed = JSON.stringify([listenPort, isLighthouse, plan.routes.map(routeItem)]);
  return [`#restart ${createHash('sha256').update(fixed).digest('hex').slice(0, 16)}`];
}

function lookupLines({ lookup }: PeerPlan): string[] {
  return lookup ? [`#resolve-except ${lookup.except}`, ...lookup.names.map((name) => `#resolve ${name}`)] : [];
}

function trust({ authorities, certificate, keyFile, blocklist }: NebulaSettings): string[] {
  return [
    'pki:',
    '  ca: |',
    ...indented(indented(authorities.trimEnd().split('\n'))),
    '  cert: |',
    ...indented(indented(certificate.trimEnd().split('\n'))),
    `  key: ${quote(keyFile)}`,
    '  disconnect_invalid: true',
    ...indented(
      heading(
        'blocklist',
        blocklist.map((fingerprint) => `- ${quote(fingerprint)}`),
        '[]',
      ),
    ),
  ];
}

/** Outbound traffic is unrestricted; the receiver decides. */
function firewall({ inbound, forwarding }: PeerPlan): string[] {
  const rules = [
    // Nebula ignores this key, but its change makes SIGHUP read the subnets of the certificate again.
    ...heading(
      'subnets',
      (forwarding?.subnets ?? []).map((subnet) => `- ${quote(subnet)}`),
      '[]',
    ),
    // From version 1.10 on, a rule without `local_cidr` would not apply to subnets; the packet filter decides about them.
    'default_local_cidr_any: true',
    'conntrack:',
    '  tcp_timeout: 12m',
    '  udp_timeout: 3m',
    '  default_timeout: 10m',
    'outbound:',
    '  - {port: any, proto: any, host: any}',
    ...heading('inbound', inbound.map(ruleItem), '[]'),
  ];
  return ['firewall:', ...indented(rules)];
}

function ruleItem({ protocol, ports, cidr }: AddressRule): string {
  const port = ports === 'any' ? 'any' : quote(portText(ports));
  return `- {port: ${port}, proto: ${protocol}, cidr: ${quote(cidr)}}`;
}

function routeItem({ cidr, via, metric }: Route): string {
  return `- {route: ${quote(cidr)}, via: ${quote(via)}, metric: ${metric}}`;
}

/** A YAML key with its lines. @param none value when there are no lines */
function heading(key: string, lines: readonly string[], none: string): string[] {
  return lines.length === 0 ? [`${key}: ${none}`] : [`${key}:`, ...indented(lines)];
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** Quotes a string for YAML, which includes JSON strings. */
function quote(text: string): string {
  return JSON.stringify(text);
}
