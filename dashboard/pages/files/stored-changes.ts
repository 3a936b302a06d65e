import { useEffect } from 'react';
import type { UseQueryExecute } from 'urql';
import { useStore } from '../../runtime/store';
import { storedChanges } from './uploads/upload-queue';

/** Loads a query again after each change of the stored files. */
export function useStoredChanges(reload: UseQueryExecute): void {
  const changes = useStore(storedChanges);
  useEffect(() => {
    if (changes > 0) reload({ requestPolicy: 'network-only' });
  }, [changes, reload]);
}
