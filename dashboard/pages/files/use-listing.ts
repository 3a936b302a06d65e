import { useCallback, useEffect, useState } from 'react';
import { useClient } from 'urql';
import { useOnReturn } from '../../graphql/on-return';
import { useStore } from '../../runtime/store';
import { done } from '../../graphql/done';
import { BROWSE, type Listing } from './operations';
import { storedChanges } from './uploads/upload-queue';

/** Rows that are loaded without a question; the rest of a larger directory is found by search. */
export const MAX_ROWS = 20_000;

function sizeOf({ folders, files }: Pick<Listing, 'folders' | 'files'>): number {
  return folders.length + files.length;
}

/** The entries of a directory: the first page at once, the others behind it. */
export function useListing(owner: string, folder: string, path: string) {
  const client = useClient();
  const changes = useStore(storedChanges);
  const [listing, setListing] = useState<Pick<Listing, 'folders' | 'files'> & { readonly isCut: boolean }>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  useEffect(() => setListing(undefined), [owner, folder, path]);
  useEffect(() => {
    let isPresent = true;
    const load = async () => {
      let [folders, files]: [Listing['folders'], Listing['files']] = [[], []];
      for (let offset = 0, hasMore = true; isPresent && hasMore && offset < MAX_ROWS;) {
        const variables = { owner, folder, path, offset };
        const { browseFolder } = await done(client.query(BROWSE, variables, { requestPolicy: 'network-only' }));
        folders = [...folders, ...browseFolder.folders];
        files = [...files, ...browseFolder.files];
        offset = folders.length + files.length;
        hasMore = browseFolder.hasMore;
        if (!isPresent) return;
        // A longer listing that is shown already, as when it is loaded again, stays until all is there.
        const isWhole = !hasMore || offset >= MAX_ROWS;
        setListing((shown) =>
          shown && !isWhole && sizeOf(shown) > offset ? shown : { folders, files, isCut: isWhole && hasMore },
        );
      }
      if (isPresent) setError(undefined);
    };
    load().catch((failure: unknown) => isPresent && setError(failure));
    return () => {
      isPresent = false;
    };
  }, [client, owner, folder, path, changes, tries]);
  const reload = useCallback(() => setTries((last) => last + 1), []);
  useOnReturn(reload);
  return { listing, error, reload };
}
