import { createHash } from 'node:crypto';
import { filterTable, portText } from './filter.rules.js';
import type { AddressRule } from '../rights/packet-rule.js';
import type { PeerPlan, Route } from '../plan/peer-plan.js';

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
  /** Fingerprints, in a steady order. */
  readonly blocklist: readonly string[];
  readonly lighthouses: readonly Lighthouse[];
  readonly isLighthouse: boolean;
  /** UDP port; 0 for any free port. */
  readonly listenPort: number;
}

/** The plan of a lighthouse: it accepts no traffic. */
export const NO_PLAN: PeerPlan = { inbound: [], routes: [], filter: undefined, gateway: undefined, lookup: undefined };

/**
 * The configuration of one Nebula process: equal settings give equal text. Lines that begin with `#nft ` are a script for
 * `nft -f`, where there are none the table it makes must not be there; the line that begins with `#restart ` is another one
 * where SIGHUP is not enough; those that begin with `#resolve ` are names whose addresses the peer is to report, save for
 * addresses of `#resolve-except `.
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
    // Seconds between looks at a tunnel (0: the least there is, half a second), which end it when its certificate is not valid
    // any more, and until one is ended in which nobody answers.
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

/** Nebula 1.6.1 reads its port and routes once. Source: overlay/tun_linux.go; routes are reloaded from 1.9 on */
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
function firewall({ inbound, gateway }: PeerPlan): string[] {
  const rules = [
    // Nebula does not know this one: a change of it makes SIGHUP read the certificate's subnets again.
    ...heading(
      'subnets',
      (gateway?.subnets ?? []).map((subnet) => `- ${quote(subnet)}`),
      '[]',
    ),
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
