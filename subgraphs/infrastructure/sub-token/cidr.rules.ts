import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { badRequest } from '../../../kernel/errors.js';

/** All there is. */
export const EVERYWHERE: readonly string[] = ['0.0.0.0/0', '::/0'];

/** An address, or a network of them, in its plain form: always with a prefix. @throws BAD_REQUEST */
export function readCidr(text: string, field: string): string {
  const [host = '', prefix, ...rest] = text.trim().split('/');
  const address = addressOf(host);
  const bits = bitsOf(prefix, address?.kind() === 'ipv4' ? 32 : 128);
  if (!address || bits === undefined || rest.length > 0)
    throw badRequest(
      `\`${field}\` must hold plain IP addresses, like 203.0.113.7, or networks of them, like 203.0.113.0/24.`,
    );
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = family.networkAddressFromCIDR(`${host}/${bits}`).toString();
  if (first !== address.toString())
    throw badRequest(`\`${field}\` holds ${text.trim()}, which has host bits set; the network is ${first}/${bits}.`);
  return `${first}/${bits}`;
}

/** One address as a network of its own. @throws BAD_REQUEST */
export function readAddress(text: string, field: string): string {
  if (text.includes('/')) throw badRequest(`\`${field}\` must be one IP address, like 203.0.113.7.`);
  return readCidr(text, field);
}

/** Undefined for what is none, is of one machine only by its zone, or is IPv4 in another dress. */
function addressOf(host: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(host) === 0 || host.includes('%')) return undefined;
  const address = ipaddr.parse(host);
  return address.range() === 'ipv4Mapped' ? undefined : address;
}

function bitsOf(prefix: string | undefined, longest: number): number | undefined {
  if (prefix === undefined) return longest;
  return /^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= longest ? Number(prefix) : undefined;
}

/** Whether the inner network lies within the outer one. Both in their plain form. */
export function lies(inner: string, outer: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(inner);
  const [network, shared] = ipaddr.parseCIDR(outer);
  return address.kind() === network.kind() && bits >= shared && address.match(network, shared);
}

/** The networks that both lists hold: of two that share addresses one lies within the other. */
export function intersectCidrs(one: readonly string[], other: readonly string[]): string[] {
  const shared = one.flatMap((a) => other.flatMap((b) => (lies(a, b) ? [a] : lies(b, a) ? [b] : [])));
  return withoutInner(shared, lies);
}

/** Each once, and none that lies within another. */
export function withoutInner(items: readonly string[], isWithin: (inner: string, outer: string) => boolean): string[] {
  const each = [...new Set(items)];
  return each.filter((item) => !each.some((other) => other !== item && isWithin(item, other))).toSorted();
}
