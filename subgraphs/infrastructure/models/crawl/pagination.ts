import { createHash } from 'node:crypto';

/** Why reading a list stopped early. */
const FAULTS = {
  elsewhere: 'its next page is on another host',
  back: 'its pages lead back to one that was read',
  endless: 'it has more pages than are read',
} as const;

/** Follows the `next` links of a paged list. Stops at a loop, at another host and at the page limit. */
export class Pagination {
  /** Why it stopped early; undefined: it did not. */
  fault: string | undefined;
  private readonly read = new Set<string>();

  /** @param pages number of pages already read */
  constructor(
    private readonly maxPages: number,
    public pages = 0,
  ) {}

  /** The next page to read; undefined: none. @param page null: the first @param next as in `NamePage` */
  after(page: string | null, next: string | undefined): string | undefined {
    this.pages += 1;
    this.read.add(keyOf(page ?? ''));
    if (next === undefined) return undefined;
    if (!next.startsWith('/')) return this.leave('elsewhere');
    if (this.read.has(keyOf(next))) return this.leave('back');
    return this.pages < this.maxPages ? next : this.leave('endless');
  }

  private leave(fault: keyof typeof FAULTS): undefined {
    this.fault = FAULTS[fault];
    return undefined;
  }
}

/** Hashes an address, because thousands of long addresses may be kept. */
function keyOf(page: string): string {
  return createHash('sha256').update(page).digest('base64');
}
