import { useCallback, useEffect } from 'react';
import { useQuery, useSubscription } from 'urql';
import { useOnReturn } from '../../app/on-return';
import { graphql, type ResultOf } from '../../graphql/graphql';
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
      }
    }
  }
`);
const CHANGED = graphql('subscription { vmInstanceChanged { id } }');

type Machine = ResultOf<typeof MACHINES>['vmInstances'][number];

/** The machines, as they change, and the credits that all cost in a day as they are now. Both are undefined while they load. */
export function useMachineCosts() {
  const [{ data, error }, reload] = useQuery({ query: MACHINES, requestPolicy: 'cache-and-network' });
  const [{ data: changed }] = useSubscription({ query: CHANGED });
  useEffect(() => {
    if (changed) reload({ requestPolicy: 'network-only' });
  }, [changed, reload]);
  useOnReturn(useCallback(() => reload({ requestPolicy: 'network-only' }), [reload]));
  const machines = data?.vmInstances;
  // Who may have no machines pays for none.
  return { machines, perDay: error ? 0 : machines && costPerDay(machines) };
}

function costPerDay(machines: readonly Machine[]): number {
  return machines.reduce((sum, machine) => sum + 24 * creditsPerHourNow(machine), 0);
}
