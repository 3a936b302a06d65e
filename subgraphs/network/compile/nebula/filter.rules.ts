import type { FilterRule, PortRange } from '../rights/packet-rule.js';
import type { PeerPlan } from '../compiler/peer-plan.js';

/** The platform's nftables table on a peer. */
const TABLE = 'table ip archipelago';

/**
 * Returns a script for `nft -f` that atomically replaces the platform's table; empty if Nebula's own rules are enough.
 * It checks every packet from the side that connects, not only the first, so that a policy change also cuts established
 * connections. Replies pass.
 */
export function filterTable({ filter, forwarding }: PeerPlan, device: string): string[] {
  if (!filter && !forwarding) return [];
  const verdictsOf = (rules: readonly FilterRule[]) => [
    'ct direction reply accept',
    'ct state related accept',
    ...rules.map(filterLine),
    'drop',
  ];
  const { subnets, forwards } = forwarding ?? { subnets: [], forwards: [] };
  return [
    TABLE,
    `delete ${TABLE}`,
    `${TABLE} {`,
    ...chain('from_overlay', verdictsOf(filter ?? [])),
    ...(forwarding ? chain('through', verdictsOf(forwards)) : []),
    ...chain('input', [
      'type filter hook input priority filter; policy accept;',
      // The router's own addresses in its subnets belong to the resources there, as in `decide`.
      ...(subnets.length === 0 ? [] : [`iifname "${device}" ip daddr ${setOf(subnets)} jump through`]),
      `iifname "${device}" jump from_overlay`,
    ]),
    ...(forwarding ? forwardingChains(forwarding, device, verdictsOf) : []),
    '}',
  ];
}

function forwardingChains(
  { masquerades }: NonNullable<PeerPlan['forwarding']>,
  device: string,
  verdictsOf: (rules: readonly FilterRule[]) => string[],
): string[] {
  const masqueraded = masquerades.length === 0 ? [] : [`iifname "${device}" ip daddr ${setOf(masquerades)} masquerade`];
  return [
    ...chain('into_overlay', verdictsOf([])),
    ...chain('forward', [
      'type filter hook forward priority filter; policy accept;',
      `iifname "${device}" jump through`,
      // Hosts behind a router cannot open connections into the overlay.
      `oifname "${device}" jump into_overlay`,
    ]),
    ...chain('postrouting', ['type nat hook postrouting priority srcnat; policy accept;', ...masqueraded]),
  ];
}

function filterLine({ action, protocol, ports, sources, destinations }: FilterRule): string {
  const parts = [`ip saddr ${setOf(sources)}`];
  if (destinations.length > 0) parts.push(`ip daddr ${setOf(destinations)}`);
  if (protocol === 'other') parts.push('meta l4proto != { tcp, udp, icmp }');
  else if (ports.length > 0) parts.push(`${protocol} dport ${setOf(ports.map(portText))}`);
  else if (protocol !== 'any') parts.push(`meta l4proto ${protocol}`);
  return [...parts, action].join(' ');
}

/** `80` or `8000-8100`. */
export function portText({ from, to }: PortRange): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

function chain(name: string, lines: readonly string[]): string[] {
  return [`  chain ${name} {`, ...lines.map((line) => `    ${line}`), '  }'];
}

function setOf(members: readonly string[]): string {
  return `{ ${members.join(', ')} }`;
}
