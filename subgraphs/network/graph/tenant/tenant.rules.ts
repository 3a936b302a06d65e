import { conflict } from '../../../../kernel/errors.js';

/** The number of objects in a private network. */
export type GraphSizes = Readonly<Record<keyof typeof MOST, number>>;

/** What a private network may hold: several times what its 2 000 peers need, and no more than can be compiled within a second or two. */
const MOST = {
  groups: 1_000,
  networks: 200,
  resources: 1_000,
  routers: 500,
  memberships: 20_000,
  policies: 2_000,
  ports: 5_000,
};

/** Refuses a change that exceeds the limits of a private network. @throws CONFLICT */
export function checkSizes(sizes: GraphSizes): void {
  for (const [kind, most] of Object.entries(MOST)) {
    const size = Object.entries(sizes).find(([name]) => name === kind)?.[1] ?? 0;
    if (size > most)
      throw conflict(`A private network may contain at most ${most} ${kind}; this change would make it ${size}.`);
  }
}

/** First address of 100.64.0.0/10 as a number. Source: RFC 6598 */
const POOL_START = 0x64_40_00_00;

/** Addresses a tenant gets: a /21, room for 2 000 peers. */
const RANGE_BITS = 21;
const RANGE_SIZE = 2 ** (32 - RANGE_BITS);

/** Ranges the pool holds. */
export const RANGES_IN_POOL = 2 ** (RANGE_BITS - 10);

/**
 * The range at a place in the pool. Past its end ranges come round again: each tenant has an authority of its own, so
 * that equal addresses of two tenants never meet. @param place 0 and up
 */
export function rangeAt(place: number): string {
  const start = POOL_START + (place % RANGES_IN_POOL) * RANGE_SIZE;
  const bytes = [24, 16, 8, 0].map((shift) => (start >>> shift) & 0xff);
  return `${bytes.join('.')}/${RANGE_BITS}`;
}
