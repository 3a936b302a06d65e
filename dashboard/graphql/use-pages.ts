import { useCallback, useEffect, useRef, useState } from 'react';
import { useOnReturn } from './on-return';

/** A part of a list. `next` is where the part after it begins; null: it is the last. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  /** How many rows the whole list has, if it is known. */
  readonly total?: number;
}

type Load<Row> = (after: string | null) => Promise<ListPage<Row>>;

/**
 * A list that grows by `more`. It is loaded again, after a pause, when one of the keys changes; then an answer for the keys
 * before is dropped. `reload`, which runs on each return to the page, loads as many rows as are shown.
 */
export function usePages<Row>(load: Load<Row>, keys: readonly unknown[], pauseMs = 0) {
  const [shown, setShown] = useState<{ readonly page: ListPage<Row>; readonly load: Load<Row> }>();
  const [error, setError] = useState<unknown>();
  const [reloads, setReloads] = useState(0);
  const length = useRef(0);
  useEffect(() => void (length.current = 0), keys);
  useEffect(() => {
    let isPresent = true;
    const show = (page: ListPage<Row>) => isPresent && (setShown({ page, load }), setError(undefined));
    const fail = (failure: unknown) => isPresent && setError(failure);
    const timer = setTimeout(() => void loadRows(load, length.current).then(show, fail), pauseMs);
    return () => {
      isPresent = false;
      clearTimeout(timer);
    };
  }, [...keys, reloads]);
  const reload = useCallback(() => {
    length.current = shown?.page.rows.length ?? 0;
    setReloads((count) => count + 1);
  }, [shown]);
  useOnReturn(reload);
  const next = shown?.page.next ?? null;
  const more = async () => {
    if (!shown) return;
    const page = await shown.load(next);
    const rows = [...shown.page.rows, ...page.rows];
    setShown((present) => (present === shown ? { ...shown, page: { ...page, rows } } : present));
  };
  return { ...shown?.page, error, reload, more: next === null ? undefined : more };
}

/** Loads the first part, and more until there are so many rows. */
async function loadRows<Row>(load: Load<Row>, count: number): Promise<ListPage<Row>> {
  let page = await load(null);
  while (page.next !== null && page.rows.length < count) {
    const { rows } = page;
    const part = await load(page.next);
    page = { ...part, rows: [...rows, ...part.rows] };
  }
  return page;
}
