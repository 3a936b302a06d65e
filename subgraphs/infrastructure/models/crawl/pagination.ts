import { createHash } from 'node:crypto';

/** Why a list was left before its end. */
const FAULTS = {
  elsewhere: 'its next page is on another host',
  back: 'its pages lead back to one that was read',
  endless: 'it has more pages than are read',
} as const;

/** Follows a list from page to page, as its links say, and leaves it where they lead back, elsewhere, or on and on. */
export class PageTrail {
  /** Why it was left; undefined: it was not. */
  fault: string | undefined;
  private readonly read = new Set<string>();

  /** @param pages that were read before */
  constructor(
    private readonly mostPages: number,
    public pages = 0,
  ) {}

  /** The page that is read after this one; undefined: none is. @param page null: the first @param next as of `NamePage` */
  after(page: string | null, next: string | undefined): string | undefined {
    this.pages += 1;
    this.read.add(keyOf(page ?? ''));
    if (next === undefined) return undefined;
    if (!next.startsWith('/')) return this.leave('elsewhere');
    if (this.read.has(keyOf(next))) return this.leave('back');
    return this.pages < this.mostPages ? next : this.leave('endless');
  }

  private leave(fault: keyof typeof FAULTS): undefined {
    this.fault = FAULTS[fault];
    return undefined;
  }
}

/** Addresses may be long, and a list of ten thousand pages is remembered. */
function keyOf(page: string): string {
  return createHash('sha256').update(page).digest('base64');
}
