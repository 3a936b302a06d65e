import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { badRequest } from '../../../../kernel/errors.js';

export const RESOURCE_KINDS = ['host', 'subnet', 'domain'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** The address of a resource in canonical form. */
export interface ResourceAddress {
  readonly kind: ResourceKind;
  readonly address: string;
}

/** Addresses that are never routed. */
const UNROUTED: ReadonlySet<string> = new Set(['unspecified', 'broadcast', 'multicast', 'linkLocal', 'loopback']);

/** The ranges: this network, loopback, link-local, multicast, reserved. Source: RFC 6890 */
const UNROUTED_RANGES = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/127',
  'fe80::/10',
  'ff00::/8',
];

/**
 * Parses an address, a CIDR or a domain, whichever it is. @throws BAD_REQUEST if it is invalid or not of the given kind
 */
export function readAddress(text: string, kind: ResourceKind | null | undefined): ResourceAddress {
  const read = parseAddress(text.trim().toLowerCase());
  const unrouted = UNROUTED_RANGES.find((range) => overlaps(read, range));
  if (unrouted !== undefined) throw badRequest(`\`address\` includes \`${unrouted}\`, which cannot be routed.`);
  if (kind != null && kind !== read.kind) {
    throw badRequest(`\`kind\` does not match: \`address\` is a ${read.kind}, not a ${kind}; omit \`kind\`.`);
  }
  return read;
}

function parseAddress(text: string): ResourceAddress {
  const [host = '', prefix, ...rest] = text.split('/');
  if (prefix !== undefined && rest.length === 0 && isIP(host) !== 0) return parseSubnet(host, prefix);
  if (prefix === undefined && isIP(text) !== 0) return { kind: 'host', address: parseHost(text).toString() };
  if (prefix === undefined && isDomain(text)) return { kind: 'domain', address: text };
  throw badRequest(
    '`address` must be an IP address like `192.168.1.10`, a CIDR like `192.168.1.0/24`, or a domain like `db.example.com`.',
  );
}

function parseSubnet(host: string, prefix: string): ResourceAddress {
  const family = isIP(host);
  const given = parseHost(host);
  const bits = /^(?:0|[1-9]\d{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(bits <= (family === 4 ? 32 : 128))) {
    throw badRequest(
      `\`address\` has the prefix length \`/${prefix.slice(0, 20)}\`; an IPv${family} network has \`/0\` to \`/${family === 4 ? 32 : 128}\`.`,
    );
  }
  const first =
    family === 4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${host}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${host}/${bits}`);
  const address = `${first.toString()}/${bits}`;
  if (first.toString() !== given.toString())
    throw badRequest(`\`address\` has host bits set; the network is \`${address}\`.`);
  return { kind: 'subnet', address };
}

function parseHost(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const address = ipaddr.parse(text);
  // A zone is local to one machine, and IPv4-mapped addresses are another form of IPv4.
  if (text.includes('%')) throw badRequest('`address` must not have a zone, the part from `%` on.');
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    throw badRequest(`\`address\` is an IPv4 address in IPv6 form: write \`${address.toIPv4Address().toString()}\`.`);
  }
  if (UNROUTED.has(address.range())) {
    throw badRequest('`address` must be routable: not an unspecified, loopback, link-local or multicast address.');
  }
  return address;
}

const MAX_DOMAIN_LENGTH = 253;

/**
 * Letters, digits and dashes (RFC 1123), `*` for all subdomains. The last label is not a number, because it would be an
 * address.
 */
function isDomain(text: string): boolean {
  return (
    text.length <= MAX_DOMAIN_LENGTH &&
    /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*(?!(?:\d+|0x[0-9a-f]*)$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(
      text,
    )
  );
}

/** The IPv4 CIDRs of a resource; none for a name. */
export function cidrsOf({ kind, address }: ResourceAddress): string[] {
  return kind !== 'domain' && !address.includes(':') ? [address] : [];
}

/** The name that routers resolve; undefined for addresses and wildcards. */
export function nameOf({ kind, address }: ResourceAddress): string | undefined {
  return kind === 'domain' && !address.startsWith('*') ? address : undefined;
}

/** Whether the address overlaps an IPv4 range. @param range a CIDR */
export function overlaps({ kind, address }: ResourceAddress, range: string): boolean {
  if (kind === 'domain') return false;
  const [first, bits] = cidrOf(address);
  const [start, rangeBits] = cidrOf(range);
  if (first.kind() !== start.kind()) return false;
  const shared = Math.min(bits, rangeBits);
  return first.match(start, shared);
}

function cidrOf(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  return address.includes('/') ? ipaddr.parseCIDR(address) : [ipaddr.parse(address), address.includes(':') ? 128 : 32];
}
