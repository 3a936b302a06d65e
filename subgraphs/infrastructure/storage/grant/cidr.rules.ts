import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { badRequest } from '../../../../kernel/errors.js';

/** Networks that contain every address. */
export const EVERYWHERE: readonly string[] = ['0.0.0.0/0', '::/0'];

/** Parses an IP address or CIDR and returns it as a canonical CIDR. @throws BAD_REQUEST */
export function readCidr(text: string, field: string): string {
  const [host = '', prefix, ...rest] = text.trim().split('/');
  if (isIP(host) === 0 || rest.length > 0)
    throw badRequest(`\`${field}\` must contain IP addresses, like 203.0.113.7, or networks, like 203.0.113.0/24.`);
  const address = plainAddress(host, field);
  const bits = bitsOf(prefix, { field, maxBits: address.kind() === 'ipv4' ? 32 : 128 });
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = family.networkAddressFromCIDR(`${host}/${bits}`).toString();
  if (first !== address.toString())
    throw badRequest(`\`${field}\` contains ${text.trim()}, which has host bits set; the network is ${first}/${bits}.`);
  return `${first}/${bits}`;
}

/** Parses a single IP address and returns it as a CIDR. @throws BAD_REQUEST */
export function readAddress(text: string, field: string): string {
  if (isIP(text.trim()) === 0) throw badRequest(`\`${field}\` must be one IP address, like 203.0.113.7.`);
  return readCidr(text, field);
}

/** Parses an address without a zone that is no IPv4-mapped IPv6 address. @throws BAD_REQUEST */
function plainAddress(host: string, field: string): ipaddr.IPv4 | ipaddr.IPv6 {
  if (host.includes('%')) throw badRequest(`\`${field}\` must not have a zone, the part from \`%\` on.`);
  const address = ipaddr.parse(host);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    const ipv4 = address.toIPv4Address().toString();
    throw badRequest(`\`${field}\` contains an IPv4 address in IPv6 form: write ${ipv4}.`);
  }
  return address;
}

function bitsOf(
  prefix: string | undefined,
  { field, maxBits }: { readonly field: string; readonly maxBits: number },
): number {
  if (prefix === undefined) return maxBits;
  const bits = /^(?:0|[1-9]\d{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (bits <= maxBits) return bits;
  throw badRequest(
    `\`${field}\` contains the prefix length /${prefix.slice(0, 20)}; an IPv${maxBits === 32 ? 4 : 6} network has /0 to /${maxBits}.`,
  );
}

/** A network as a range of numbers; IPv6 addresses are numbered after IPv4. */
export interface Network {
  readonly text: string;
  readonly first: bigint;
  readonly last: bigint;
}

const IPV6_OFFSET = 1n << 32n;

/** @param cidr canonical, from `readCidr` */
export function networkOf(cidr: string): Network {
  const [address, prefix] = ipaddr.parseCIDR(cidr);
  const isIpv4 = address.kind() === 'ipv4';
  const number = BigInt(`0x${Buffer.from(address.toByteArray()).toString('hex')}`);
  const first = isIpv4 ? number : number + IPV6_OFFSET;
  return { text: cidr, first, last: first + (1n << BigInt((isIpv4 ? 32 : 128) - prefix)) - 1n };
}

/** The networks sorted by first address, without those contained in another. */
export function networksOf(cidrs: readonly string[]): Network[] {
  const sorted = cidrs.map(networkOf).toSorted((a, b) => order(a.first, b.first) || order(b.last, a.last));
  const kept: Network[] = [];
  for (const network of sorted) if (network.first > (kept.at(-1)?.last ?? -1n)) kept.push(network);
  return kept;
}

function order(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other);
}

/** Whether the outer network contains the inner one. */
export function isInside(inner: Network, outer: Network): boolean {
  return inner.first >= outer.first && inner.last <= outer.last;
}

/** The intersection of two lists from `networksOf`, in one pass: of two overlapping networks, one contains the other. */
export function intersectNetworks(one: readonly Network[], other: readonly Network[]): Network[] {
  const shared: Network[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [one[i], other[j]];
    if (!a || !b) return shared;
    if (isInside(a, b)) shared.push(a);
    else if (isInside(b, a)) shared.push(b);
    if (a.last <= b.last) i++;
    if (b.last <= a.last) j++;
  }
}
