/** A range of addresses as 32-bit numbers, both ends included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Converts an IPv4 address to a number. @throws Error if it is invalid */
export function addressNumber(address: string): number {
  const bytes = address.split('.').map(Number);
  if (bytes.length !== 4 || bytes.some((byte) => !Number.isInteger(byte) || byte < 0 || byte > 255)) {
    throw new Error(`${address} is not an IPv4 address`);
  }
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}

/** Converts a number to an IPv4 address. */
export function addressText(number: number): string {
  return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
}

/** The range of a CIDR or of a single address. @throws Error if it is invalid */
export function spanOf(cidr: string): Span {
  const [address = '', bits = '32'] = cidr.split('/');
  const size = 2 ** (32 - Number(bits));
  const first = addressNumber(address);
  if (!Number.isInteger(size) || first % size !== 0) throw new Error(`${cidr} is not a CIDR`);
  return { first, last: first + size - 1 };
}

/** Formats a CIDR; callers cache texts that they need often. @param bits 0 to 32 */
export type CidrWriter = (first: number, bits: number) => string;

export const writeCidr: CidrWriter = (first, bits) => `${addressText(first)}/${bits}`;

/** The smallest list of CIDRs with exactly these addresses. @param sorted ascending, duplicates allowed */
export function cidrsOfAddresses(sorted: readonly number[], write: CidrWriter = writeCidr): string[] {
  const cidrs: string[] = [];
  let first = sorted[0];
  if (first === undefined) return cidrs;
  let last = first;
  for (let place = 1; place < sorted.length; place++) {
    const address = sorted[place] ?? last;
    if (address > last + 1) {
      addCidrs(cidrs, { first, last }, write);
      first = address;
    }
    last = address;
  }
  addCidrs(cidrs, { first, last }, write);
  return cidrs;
}

/** The smallest list of CIDRs with exactly the addresses of the spans, ascending. */
export function cidrsOfSpans(spans: readonly Span[]): string[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before && span.first <= before.last + 1) {
      merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, span.last) };
    } else merged.push(span);
  }
  const cidrs: string[] = [];
  for (const span of merged) addCidrs(cidrs, span, writeCidr);
  return cidrs;
}

function addCidrs(cidrs: string[], { first, last }: Span, write: CidrWriter): void {
  for (let start = first; start <= last;) {
    let bits = 32;
    for (let size = 2; bits > 0 && start % size === 0 && start + size - 1 <= last; size *= 2) bits--;
    cidrs.push(write(start, bits));
    start += 2 ** (32 - bits);
  }
}

/** The span without the holes, ascending. */
export function without({ first, last }: Span, holes: readonly Span[]): Span[] {
  const left: Span[] = [];
  let start = first;
  for (const hole of holes.toSorted((a, b) => a.first - b.first)) {
    if (hole.last < start || hole.first > last) continue;
    if (hole.first > start) left.push({ first: start, last: hole.first - 1 });
    start = hole.last + 1;
  }
  if (start <= last) left.push({ first: start, last });
  return left;
}

/** Whether the outer span contains the inner one. */
export function holds(outer: Span, inner: Span): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}
