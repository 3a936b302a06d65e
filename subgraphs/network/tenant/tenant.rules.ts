/** First address of 100.64.0.0/10 as a number. Source: RFC 6598, decisions: Overlay certificates */
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
