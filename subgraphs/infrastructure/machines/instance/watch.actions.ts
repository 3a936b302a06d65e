import { sql } from 'kysely';
import { query } from '../../../../kernel/database/query.js';
import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Observation } from '../provider/provider.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureRuntime } from '../../services.js';
import { reconcileInstance } from './reconcile.actions.js';
import { forEachInstance } from './each-instance.js';
import { hostOf, POLL } from './host.actions.js';
import type { InstanceState } from './instance.js';
import { stepOf } from './instance.rules.js';
import { countAttempt, enqueueReconcile, transitionInstance, type Transition } from './transition.actions.js';
import {
  pauseBilling,
  resumeBilling,
  updateOverlayAddress,
  updateOverlayAddresses,
  updateRunning,
} from './running.actions.js';

const INSTANCES_IN_TRANSITION = query('vm-on-the-way', (db: Tables) =>
  db
    .selectFrom('vmInstance')
    .select(['userId', 'id', 'revision'])
    .where('state', 'in', ['pending', 'spawning', 'stopping', 'starting', 'rebooting', 'terminating'])
    .orderBy('id'),
);

/** Re-enqueues machines in transition whose worker was killed, and detects machines that changed on the host. */
export const WATCH_INSTANCES: JobDefinition<InfrastructureRuntime> = {
  name: 'watch-instances',
  cron: '* * * * *',
  queue: 'slow',
  runsAtStart: true,
  async work(_data, runtime) {
    await runtime.database.change(async (transaction) => {
      for (const machine of await transaction.run(INSTANCES_IN_TRANSITION, {}))
        await enqueueReconcile(transaction, runtime.jobs, machine);
    });
    await forEachInstance(runtime, STABLE_INSTANCES, (instance) => compareInstance(runtime, instance));
    await updateOverlayAddresses(runtime, STABLE_INSTANCES).catch(logUnread(runtime));
  },
};

/** Logs a failure of the network subgraph, which the next pass repairs. */
const logUnread =
  ({ log }: InfrastructureRuntime) =>
  (error: unknown) =>
    log.error({ err: error }, 'the overlay addresses of machines could not be read');

const STABLE_INSTANCES = query('vm-at-rest', (db: Tables, value: { after: number }) =>
  db
    .selectFrom('vmInstance')
    .select(['userId', 'id', 'uuid', 'overlayIp'])
    // Literals, for the partial index.
    .where(sql<boolean>`state IN ('running', 'stopped', 'failed')`)
    .where('id', '>', value.after)
    .orderBy('id')
    .limit(200),
);

const INSTANCE_BY_UUID = query('vm-by-uuid', (db: Tables, value: { uuid: string }) =>
  db.selectFrom('vmInstance').select(['userId', 'id', 'state']).where('uuid', '=', value.uuid),
);

/** Polls a machine after the host reported a change. */
export const POLL_INSTANCE: JobDefinition<InfrastructureRuntime> = {
  name: POLL,
  queue: 'slow',
  async work({ uuid }, runtime) {
    const [found] = await runtime.database.run(INSTANCE_BY_UUID, { uuid: String(uuid) });
    if (!found) return;
    if (stepOf(found.state)) await reconcileInstance(runtime, found);
    else await compareInstance(runtime, found);
    await updateOverlayAddress(runtime, found).catch(logUnread(runtime));
  },
};

const INSTANCE_TO_COMPARE = query('vm-resting', (db: Tables, value: OwnedRow) =>
  db
    .selectFrom('vmInstance as i')
    .innerJoin('vmBilling as b', (on) => on.onRef('b.userId', '=', 'i.userId').onRef('b.instanceId', '=', 'i.id'))
    .leftJoin('vmApplication as a', 'a.id', 'i.applicationId')
    .select([
      'i.uuid',
      'i.userId',
      'i.id',
      'i.providerRef as ref',
      'i.state',
      'i.attempts',
      'i.revision',
      'b.runningSince',
    ])
    .select(['i.publicIp', 'i.applicationHealth as health', 'a.probePort', 'a.probePath'])
    .where('i.userId', '=', value.userId)
    .where('i.id', '=', value.id),
);

const RESET_MISSES = query('forget-missing-vm', (db: Tables, { userId, id }: OwnedRow) =>
  db
    .updateTable('vmInstance')
    .set({ attempts: 0 })
    .where((row) => row.and({ userId, id }))
    .where('state', 'in', ['running', 'stopped']),
);

/** Consecutive polls without the machine before it is marked failed. A restarting host may not report it for a while. */
const MAX_MISSES = 5;

/**
 * Compares the recorded state with the host: marks a machine that shut down as stopped, and stops one that should not run.
 * @throws the error of the provider, after pausing billing
 */
export async function compareInstance(runtime: InfrastructureRuntime, instance: OwnedRow): Promise<void> {
  const { database, jobs, now } = runtime;
  const [found] = await database.run(INSTANCE_TO_COMPARE, instance);
  if (!found) return;
  const { uuid, ref, state: from, attempts } = found;
  const { userId, id } = instance;
  const observed = await hostOf(runtime)
    .observe({ uuid, ref })
    .catch(async (error: unknown) => {
      await pauseBilling(runtime, found);
      throw error;
    });
  const setClock = observed.state === 'running' ? resumeBilling : pauseBilling;
  const revision = observed.state === 'busy' ? found.revision : await setClock(runtime, found);
  if (from === 'running' && observed.state === 'running')
    await updateRunning(runtime, { id, machine: found }, observed);
  const transition = transitionAfter(found, observed);
  if (!transition && attempts === 0) return;
  await database.change(async (transaction) => {
    if (observed.state !== 'gone') await transaction.run(RESET_MISSES, { userId, id });
    else if (((await countAttempt(transaction, { userId, id, state: from, revision })) ?? 0) < MAX_MISSES) return;
    if (transition) await transitionInstance(transaction, jobs, { userId, id, from, revision, ...transition }, now());
  });
}

const IS_STOPPED = { to: 'stopped', desired: 'stopped' } as const;
const STOP_AGAIN = { to: 'stopping', desired: 'stopped' } as const;
const LOST = { to: 'failed', error: 'The virtual machine no longer exists on the host.' } as const;

type ObservedTransition = Omit<Transition, keyof OwnedRow | 'from' | 'revision'>;

/** The transitions of stable machines for observed states. For a running machine, the host's reason becomes the error. */
const TRANSITION_BY_OBSERVATION: Partial<
  Record<InstanceState, Partial<Record<Observation['state'], ObservedTransition>>>
> = {
  running: { stopped: IS_STOPPED, broken: STOP_AGAIN, gone: LOST },
  stopped: { running: STOP_AGAIN, broken: STOP_AGAIN, gone: LOST },
  failed: { running: STOP_AGAIN, broken: STOP_AGAIN, stopped: IS_STOPPED },
};

function transitionAfter(
  { state, ref }: { readonly state: InstanceState; readonly ref: string | null },
  { state: seen, reason }: Observation,
): ObservedTransition | undefined {
  // Without a provider reference, creation may be incomplete.
  if (state === 'failed' && seen === 'stopped' && ref === null) return undefined;
  const transition = TRANSITION_BY_OBSERVATION[state]?.[seen];
  return state === 'running' && transition && reason !== undefined ? { ...transition, error: reason } : transition;
}
