import { addressText, spanOf } from '../../graph/address/span.rules.js';
import type { Lighthouse } from './nebula.rules.js';

/**
 * The lighthouses of a tenant: the first addresses of its range, each host listening on a port of the tenant.
 * @param place of the range in the pool
 */
export function lighthousesOf(
  { addressRange, place }: { readonly addressRange: string; readonly place: number },
  hosts: readonly string[],
  firstPort: number,
): Lighthouse[] {
  const { first } = spanOf(addressRange);
  return hosts.map((host, i) => ({ ip: addressText(first + 1 + i), address: `${host}:${firstPort + place}` }));
}
