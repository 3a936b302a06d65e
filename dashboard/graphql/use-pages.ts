import { useEffect, useState } from 'react';

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
 * before is dropped.
 */
export function usePages<Row>(load: Load<Row>, keys: readonly unknown[], pauseMs = 0) {
  const [shown, setShown] = useState<{ readonly page: ListPage<Row>; readonly load: Load<Row> }>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isPresent = true;
    const show = (page: ListPage<Row>) => isPresent && (setShown({ page, load }), setError(undefined));
    const fail = (failure: unknown) => isPresent && setError(failure);
    const timer = setTimeout(() => void load(null).then(show, fail), pauseMs);
    return () => {
      isPresent = false;
      clearTimeout(timer);
    };
  }, keys);
  const next = shown?.page.next ?? null;
  const more = async () => {
    if (!shown) return;
    const page = await shown.load(next);
    const rows = [...shown.page.rows, ...page.rows];
    setShown((present) => (present === shown ? { ...shown, page: { ...page, rows } } : present));
  };
  return { ...shown?.page, error, more: next === null ? undefined : more };
}
