import { useCallback, useEffect } from 'react';
import { useQuery, useSubscription } from 'urql';
import { useBalanceState } from '../../app/balance';
import { useMe } from '../../app/me';
import { useOnReturn } from '../../graphql/on-return';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { storagePerDay } from '../files/storage-cost';
import { creditsPerHourNow } from '../machines/machine-cost';

const MACHINES = graphql(`
  {
    vmInstances {
      id
      status
      billing {
        state
        creditsPerHour
        stoppedCreditsPerHour
        ranSeconds
      }
    }
  }
`);
const CHANGED = graphql('subscription { vmInstanceChanged { id } }');
const STORAGE = graphql(`
  query ($owner: String!) {
    storagePrice {
      creditsPerGibMonth
    }
    storageSummary(ownerAddress: $owner) {
      chargedBytes
    }
  }
`);

export type Machine = ResultOf<typeof MACHINES>['vmInstances'][number];
type StorageData = ResultOf<typeof STORAGE>;

/** What is charged as things are now. */
interface DailyCosts {
  /** The machines, as they change; undefined until they are known. */
  readonly machines: readonly Machine[] | undefined;
  /** Credits that machines and storage cost in a day; undefined until both are known. */
  readonly perDay: number | undefined;
  /** Why something of it is unknown or out of date. */
  readonly error: unknown;
  readonly reload: () => void;
}

/** What the machines and the storage of the user cost, as they change. */
function useDailyCosts(): DailyCosts {
  const { substrateAddress: owner } = useMe();
  const [machines, reloadMachines] = useQuery({ query: MACHINES, requestPolicy: 'cache-and-network' });
  const [storage, reloadStorage] = useQuery({
    query: STORAGE,
    variables: { owner: owner ?? '' },
    pause: owner === null,
    requestPolicy: 'cache-and-network',
  });
  const [{ data: changed }] = useSubscription({ query: CHANGED });
  useEffect(() => {
    if (changed) reloadMachines({ requestPolicy: 'network-only' });
  }, [changed, reloadMachines]);
  const reload = useCallback(() => {
    reloadMachines({ requestPolicy: 'network-only' });
    if (owner !== null) reloadStorage({ requestPolicy: 'network-only' });
  }, [reloadMachines, reloadStorage, owner]);
  useOnReturn(reload);
  // Who has no address stores nothing.
  const ofStorage = owner === null ? 0 : storage.data && costOfStorage(storage.data);
  const ofMachines = machines.data && costOfMachines(machines.data.vmInstances);
  return {
    machines: machines.data?.vmInstances,
    perDay: ofStorage === undefined || ofMachines === undefined ? undefined : ofStorage + ofMachines,
    error: machines.error ?? storage.error,
    reload,
  };
}

/** The balance beside what is charged a day, or why one of them is not known. */
export function useBalanceAndCosts() {
  const present = useBalanceState();
  const costs = useDailyCosts();
  const reload = () => {
    if (present.error !== undefined) present.reload();
    costs.reload();
  };
  return { ...costs, balance: present.balance, error: present.error ?? costs.error, reload };
}

function costOfMachines(machines: readonly Machine[]): number {
  return machines.reduce((sum, machine) => sum + 24 * creditsPerHourNow(machine), 0);
}

function costOfStorage({ storagePrice, storageSummary }: StorageData): number {
  return storagePerDay(storagePrice.creditsPerGibMonth, storageSummary.chargedBytes, new Date());
}
