import { isIPv4 } from 'node:net';
import { badRequest } from '../../../../kernel/errors.js';
import { readAddress } from '../address/address.rules.js';
import { holds, spanOf } from '../address/span.rules.js';

/** Maximum number of addresses of a name. */
const MAX_ADDRESSES = 16;

/** Maximum number of stored addresses of a router, including expiring ones. Its certificate contains each of them. */
const MAX_ADDRESSES_OF_ROUTER = 256;

/** How long an address stays valid after its name last resolved to it. This limits certificate changes for names that rotate addresses. */
export const ADDRESS_TTL_MS = 10 * 60_000;

/** A name with its addresses, as reported by a router. */
interface Found {
  readonly name: string;
  readonly addresses: readonly string[];
}

/** A resource that a router resolves. */
export interface ResolvableResource {
  readonly id: number;
  readonly name: string;
}

/** An address of a resource. */
export interface ResourceAddress {
  readonly resourceId: number;
  readonly address: string;
}

interface Question {
  /** The resources that this router was asked to resolve. */
  readonly resolvable: readonly ResolvableResource[];
  /** The address range of the peers, a CIDR: reported addresses must not be inside it. */
  readonly overlay: string;
}

/**
 * Returns the reported addresses by resource id; resources without a report are omitted.
 * @throws BAD_REQUEST for names it was not asked for, and for addresses that are not IPv4 or inside the overlay
 */
export function readFound(found: readonly Found[], { resolvable, overlay }: Question): Map<number, string[]> {
  const read = new Map<number, string[]>();
  const names = new Set(found.map(({ name }) => name));
  if (names.size < found.length) throw badRequest('`names` contains a name twice.');
  for (const { name, addresses } of found) {
    const resources = resolvable.filter((resource) => resource.name === name);
    if (resources.length === 0)
      throw badRequest('`names` contains a name that this peer is not configured to resolve.');
    const distinct = new Set(addresses);
    if (distinct.size > MAX_ADDRESSES) throw badRequest(`A name may have at most ${MAX_ADDRESSES} addresses.`);
    const checked = [...distinct].map((address) => checkAddress(address, overlay));
    for (const { id } of resources) read.set(id, checked);
  }
  return read;
}

function checkAddress(address: string, overlay: string): string {
  if (!isIPv4(address)) throw badRequest('`addresses` must be IPv4 addresses, like `10.0.0.7`.');
  const { address: plain } = readAddress(address, 'host');
  if (holds(spanOf(overlay), spanOf(plain)))
    throw badRequest(`\`addresses\` must not be in ${overlay}, the address range of your peers.`);
  return plain;
}

/** A stored address. */
export interface StoredAddress extends ResourceAddress {
  readonly id: string;
  readonly goneAt: Date | null;
}

/** Changes to the stored addresses of a router. */
interface Difference {
  readonly added: readonly ResourceAddress[];
  /** Ids of addresses to reactivate. */
  readonly back: readonly string[];
  /** Ids of addresses to mark as gone. */
  readonly gone: readonly string[];
  /** Ids of addresses to delete so that the limit holds, longest gone first. */
  readonly dropped: readonly string[];
}

/** Compares stored with reported addresses. Returns undefined when they exceed MAX_ADDRESSES_OF_ROUTER. */
export function differenceOf(
  kept: readonly StoredAddress[],
  found: ReadonlyMap<number, readonly string[]>,
): Difference | undefined {
  const isFound = ({ resourceId, address }: ResourceAddress) => found.get(resourceId)?.includes(address) ?? false;
  const added = [...found].flatMap(([resourceId, addresses]) =>
    addresses
      .filter((address) => !kept.some((one) => one.resourceId === resourceId && one.address === address))
      .map((address) => ({ resourceId, address })),
  );
  const isReported = ({ resourceId }: ResourceAddress) => found.has(resourceId);
  const surplus = Math.max(0, kept.length + added.length - MAX_ADDRESSES_OF_ROUTER);
  const dropped = kept
    .filter((one) => one.goneAt !== null && !isFound(one))
    .toSorted((a, b) => (a.goneAt?.getTime() ?? 0) - (b.goneAt?.getTime() ?? 0))
    .slice(0, surplus)
    .map(({ id }) => id);
  if (dropped.length < surplus) return undefined;
  return {
    added,
    back: kept.filter((one) => one.goneAt !== null && isFound(one)).map(({ id }) => id),
    gone: kept.filter((one) => one.goneAt === null && isReported(one) && !isFound(one)).map(({ id }) => id),
    dropped,
  };
}
