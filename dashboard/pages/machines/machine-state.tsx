import { useCallback, useEffect } from 'react';
import { useSubscription } from 'urql';
import { Status, type Tone } from '../../components/badge';
import { useInterval } from '../../components/interval';
import { graphql, type ResultOf } from '../../graphql/graphql';

/** Sends a machine of the user after each of its changes. */
const MACHINE_CHANGED = graphql('subscription { vmInstanceChanged { id status } }');

type State = ResultOf<typeof MACHINE_CHANGED>['vmInstanceChanged']['status'];

const TONES: Readonly<Record<State, Tone>> = {
  pending: 'info',
  spawning: 'info',
  starting: 'info',
  rebooting: 'info',
  running: 'good',
  stopping: 'warn',
  terminating: 'warn',
  stopped: 'hollow',
  terminated: 'hollow',
  failed: 'bad',
};

/** The state of a machine with its colour. */
export function MachineStatus({ state }: { readonly state: State }) {
  return <Status tone={TONES[state]}>{state}</Status>;
}

/** Tones of states that a machine leaves by itself. */
const PASSING: ReadonlySet<Tone> = new Set<Tone>(['info', 'warn']);
const RELOAD_MS = 5_000;

/**
 * Reloads a query after each change of a machine, and every 5 seconds while one is between two states: an event is lost when it
 * comes before the websocket is open.
 */
export function useMachineChanges(
  states: readonly State[],
  reload: (options: { readonly requestPolicy: 'network-only' }) => void,
): void {
  const [{ data: changed }] = useSubscription({ query: MACHINE_CHANGED });
  const reloadNow = useCallback(() => reload({ requestPolicy: 'network-only' }), [reload]);
  useEffect(() => {
    if (changed) reloadNow();
  }, [changed, reloadNow]);
  useInterval(
    states.some((state) => PASSING.has(TONES[state])),
    RELOAD_MS,
    reloadNow,
  );
}

/** Memory in the largest unit that leaves a whole. */
export function memory(mebibytes: number): string {
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024} GiB` : `${mebibytes.toLocaleString()} MiB`;
}
