import { addressNumber, addressText } from './span.rules.js';

/** An IPv4 address with a prefix length. */
export interface Address {
  /** 0 to 2^32 - 1. */
  readonly address: number;
  /** 0 to 32. */
  readonly prefix: number;
}

/** Parses `a.b.c.d/n`; host bits may be set. @throws Error if it is invalid */
export function parseAddress(text: string): Address {
  const [address = '', bits = ''] = text.split('/');
  if (!/^\d{1,2}$/.test(bits) || Number(bits) > 32) throw new Error(`${text} is not an IPv4 CIDR`);
  return { address: addressNumber(address), prefix: Number(bits) };
}

/** The mask of a prefix length. @param prefix 0 to 32 */
export function maskOf(prefix: number): number {
  return prefix === 0 ? 0 : (0xffffffff << (32 - prefix)) >>> 0;
}

/** The prefix length of a mask. @throws Error if its ones are not consecutive */
export function prefixOf(mask: number): number {
  const prefix = Math.clz32(~mask);
  if (maskOf(prefix) !== mask) throw new Error(`${addressText(mask)} is not a network mask`);
  return prefix;
}
