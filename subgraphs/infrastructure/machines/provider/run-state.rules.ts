import type { Observation } from './provider.js';

type Seen = Pick<Observation, 'state' | 'reason'>;

/** QEMU run states and their meaning. Source: QEMU QMP Reference, RunState */
const RUN_STATES: Readonly<Record<string, Seen>> = {
  running: { state: 'running' },
  suspended: { state: 'running' },
  'io-error': { state: 'broken', reason: 'The disk of the host is full or faulty.' },
  'internal-error': { state: 'broken', reason: 'The virtual processor stopped with an error.' },
  'guest-panicked': { state: 'broken', reason: 'The guest system has crashed.' },
};

/** The state of a machine whose QEMU is in this run state; all others are transient. */
export function runStateOf(word: string): Seen {
  return RUN_STATES[word] ?? { state: 'busy' };
}
