import { conflict } from '../../../../kernel/errors.js';

/** The number of objects in a private network. */
export type GraphSizes = Readonly<Record<keyof typeof MAX_SIZES, number>>;

/**
 * Maximum sizes of a private network: several times the needs of its 2 000 peers, and small enough to compile within
 * two seconds.
 */
const MAX_SIZES = {
  groups: 1_000,
  networks: 200,
  resources: 1_000,
  routers: 500,
  memberships: 20_000,
  resourceMemberships: 20_000,
  policies: 2_000,
  ports: 5_000,
  /** Routers times resources of each network: each is an edge of the topology. */
  routes: 20_000,
};

/** Names of sizes in refusals, where they differ from their key. */
const SIZE_NAMES: Partial<Record<keyof typeof MAX_SIZES, string>> = {
  resourceMemberships: 'resource memberships',
  routes: 'routes from routers to resources',
};

/** Refuses a change that grows a private network beyond its limits; one that is larger already may shrink. @throws CONFLICT */
export function checkSizes(before: GraphSizes, after: GraphSizes): void {
  for (const [kind, max] of Object.entries(MAX_SIZES) as [keyof GraphSizes, number][]) {
    const size = after[kind];
    if (size > max && size > before[kind]) {
      const name = SIZE_NAMES[kind] ?? kind;
      throw conflict(`A private network may contain at most ${max} ${name}; this change would make it ${size}.`);
    }
  }
}

/** First address of 100.64.0.0/10 as a number. Source: RFC 6598 */
const POOL_START = 0x64_40_00_00;

/** The address range of a tenant: a /21, for 2 000 peers. */
const RANGE_BITS = 21;
const RANGE_SIZE = 2 ** (32 - RANGE_BITS);

/** Highest UDP port of a lighthouse. */
const MAX_PORT = 65_535;

/** The highest range number for which lighthouses have a UDP port. @param firstPort of range 0 */
export function lastRangeFrom(firstPort: number): number {
  return MAX_PORT - firstPort;
}

/** Number of ranges in the pool. */
export const RANGES_IN_POOL = 2 ** (RANGE_BITS - 10);

/**
 * The range at an index in the pool. After the last one, ranges are reused: tenants have separate authorities, so equal
 * addresses do not conflict. @param place 0 and up
 */
export function rangeAt(place: number): string {
  const start = POOL_START + (place % RANGES_IN_POOL) * RANGE_SIZE;
  const bytes = [24, 16, 8, 0].map((shift) => (start >>> shift) & 0xff);
  return `${bytes.join('.')}/${RANGE_BITS}`;
}
