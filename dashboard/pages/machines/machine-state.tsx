import { Status, type Tone } from '../../components/badge';
import { graphql, type ResultOf } from '../../graphql/graphql';

/** Sends a machine of the user after each of its changes. */
export const MACHINE_CHANGED = graphql('subscription { vmInstanceChanged { id uuid revision status } }');

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

const HOURS_A_MONTH = 730;

/** Credits of a month of 730 hours at a price of an hour. */
export function monthly(creditsPerHour: string | number): string {
  return (Number(creditsPerHour) * HOURS_A_MONTH).toLocaleString(undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
}

/** Memory in the largest unit that leaves a whole. */
export function memory(mebibytes: number): string {
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024} GiB` : `${mebibytes.toLocaleString()} MiB`;
}
