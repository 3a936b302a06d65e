import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { badRequest } from '../../../kernel/errors.js';

/** All there is. */
export const EVERYWHERE: readonly string[] = ['0.0.0.0/0', '::/0'];

/** An address, or a network of them, in its plain form: always with a prefix. @throws BAD_REQUEST */
export function readCidr(text: string, field: string): string {
  const [host = '', prefix, ...rest] = text.trim().split('/');
  const family = isIP(host);
  const isPlain = family !== 0 && !host.includes('%') && rest.length === 0;
  const longest = family === 4 ? 32 : 128;
  const bits = prefix === undefined ? longest : /^(?:0|[1-9]\d{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!isPlain || !(bits <= longest))
    throw badRequest(
      `\`${field}\` must hold IP addresses, like 203.0.113.7, or networks of them, like 203.0.113.0/24.`,
    );
  const given = ipaddr.parse(host);
  if (given.range() === 'ipv4Mapped')
    throw badRequest(`\`${field}\` must hold IPv4 addresses as such, not within IPv6.`);
  const first =
    family === 4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${host}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${host}/${bits}`);
  const network = `${first.toString()}/${bits}`;
  if (first.toString() !== given.toString())
    throw badRequest(`\`${field}\` holds ${text.trim()}, which has host bits set; the network is ${network}.`);
  return network;
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
