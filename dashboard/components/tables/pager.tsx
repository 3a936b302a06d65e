import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../forms/button';

/** Rows of a page in lists that come in numbered pages. */
export const PAGE_SIZE = 50;

/** The page whose rows are shown, while the requested one is loaded. */
export function loadedPage([{ operation }]: PagedQuery, requested: number): number {
  return operation?.variables.page ?? requested;
}

type PagedQuery = readonly [{ readonly operation?: { readonly variables: { readonly page: number } } }, ...unknown[]];

interface PagerProps {
  /** Number of the page, from 1. */
  readonly page: number;
  /** Rows on all pages. */
  readonly total: number;
  readonly onPage: (page: number) => void;
}

/** The way to the other pages of a list; nothing where one page has all. */
export function Pager({ page, total, onPage }: PagerProps) {
  if (total <= PAGE_SIZE && page === 1) return null;
  const [first, last] = [(page - 1) * PAGE_SIZE + 1, Math.min(page * PAGE_SIZE, total)];
  return (
    <nav className="row end pager" aria-label="Pages of the list">
      <span className="muted small">
        {first.toLocaleString()} to {last.toLocaleString()} of {total.toLocaleString()}
      </span>
      <Button
        size="small"
        icon={ChevronLeft}
        label="Previous page"
        disabled={page === 1}
        onPress={() => onPage(page - 1)}
      />
      <Button
        size="small"
        icon={ChevronRight}
        label="Next page"
        disabled={last >= total}
        onPress={() => onPage(page + 1)}
      />
    </nav>
  );
}
