import { addressNumber, addressText } from './span.rules.js';

/** An IPv4 address with the length of its network's prefix. */
export interface Address {
  /** 0 to 2^32 - 1. */
  readonly address: number;
  /** 0 to 32. */
  readonly prefix: number;
}

/** Reads `a.b.c.d/n`, also with bits of a host. @throws for anything else: callers have checked it */
export function parseAddress(text: string): Address {
  const [address = '', bits = ''] = text.split('/');
  if (!/^\d{1,2}$/.test(bits) || Number(bits) > 32) throw new Error(`${text} is not an IPv4 CIDR`);
  return { address: addressNumber(address), prefix: Number(bits) };
}

/** The mask of a prefix as a number. @param prefix 0 to 32 */
export function maskOf(prefix: number): number {
  return prefix === 0 ? 0 : (0xffffffff << (32 - prefix)) >>> 0;
}

/** The length of the prefix a mask stands for. @throws where its ones are not in front */
export function prefixOf(mask: number): number {
  const prefix = Math.clz32(~mask);
  if (maskOf(prefix) !== mask) throw new Error(`${addressText(mask)} is not a network mask`);
  return prefix;
}
