import { useCallback, useEffect, useState } from 'react';
import { useClient, type Client } from 'urql';
import { useOnReturn } from '../../../graphql/on-return';
import { done } from '../../../graphql/done';
import type { ResultOf } from '../../../graphql/graphql';
import { HISTORY } from '../operations';

/** A change of the network. */
export type Change = ResultOf<typeof HISTORY>['networkChanges'][number];

/** Changes of a page. */
const PAGE = 50;

/** The changes of the network, newest first, and the function that loads older ones. Each revision reads them again. */
export function useHistory(revision: number) {
  const client = useClient();
  const [changes, setChanges] = useState<readonly Change[]>();
  const [error, setError] = useState<unknown>();
  const [pages, setPages] = useState(1);
  const [reloads, setReloads] = useState(0);
  const reload = useCallback(() => setReloads((count) => count + 1), []);
  useOnReturn(reload);
  useEffect(() => {
    let isPresent = true;
    const show = (read: readonly Change[]) => isPresent && (setChanges(read), setError(undefined));
    void read(client, pages).then(show, (failure: unknown) => isPresent && setError(failure));
    return () => void (isPresent = false);
  }, [client, revision, pages, reloads]);
  const hasMore = changes !== undefined && changes.length === pages * PAGE;
  return { changes, error, reload, more: hasMore ? () => setPages(pages + 1) : undefined };
}

/** Reads so many pages, one after the other: each begins where the last one ended. */
async function read(client: Client, pages: number): Promise<readonly Change[]> {
  const all: Change[] = [];
  while (all.length < pages * PAGE) {
    const variables = { limit: PAGE, before: all.at(-1)?.revision ?? null };
    const { networkChanges } = await done(client.query(HISTORY, variables, { requestPolicy: 'network-only' }));
    all.push(...networkChanges);
    if (networkChanges.length < PAGE) break;
  }
  return all;
}
