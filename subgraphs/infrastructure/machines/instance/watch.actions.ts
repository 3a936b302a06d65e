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
import { enqueueReconcile, transitionInstance, type Transition } from './transition.actions.js';
import { updateRunning } from './running.actions.js';

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
  },
};

const STABLE_INSTANCES = query('vm-at-rest', (db: Tables, value: { after: number }) =>
  db
    .selectFrom('vmInstance')
    .select(['userId', 'id'])
    .where('state', 'in', ['running', 'stopped'])
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
  },
};

const INSTANCE_TO_COMPARE = query('vm-resting', (db: Tables, value: OwnedRow) =>
  db
    .selectFrom('vmInstance as i')
    .leftJoin('vmApplication as a', 'a.id', 'i.applicationId')
    .select(['i.uuid', 'i.userId', 'i.providerRef as ref', 'i.state', 'i.updatedAt as requestedAt', 'i.revision'])
    .select(['i.joinsNetwork', 'i.publicIp', 'i.overlayIp', 'i.applicationHealth as health'])
    .select(['a.probePort', 'a.probePath'])
    .where('i.userId', '=', value.userId)
    .where('i.id', '=', value.id),
);

/** Follows the state on the host: a guest that shut down is marked stopped, and one that should be stopped is stopped again. */
export async function compareInstance(runtime: InfrastructureRuntime, instance: OwnedRow): Promise<void> {
  const { database, jobs, now } = runtime;
  const [found] = await database.run(INSTANCE_TO_COMPARE, instance);
  if (!found) return;
  const { uuid, ref, state: from, requestedAt, revision } = found;
  const { userId, id } = instance;
  const provider = hostOf(runtime);
  const observed = await provider.observe({ uuid, ref });
  if (from === 'stopped' && observed.state === 'running') {
    await provider.stop({ uuid, ref, requestedAt, command: String(revision) });
  }
  const transition = transitionAfter(from, observed.state);
  if (from === 'running' && observed.state === 'running')
    await updateRunning(runtime, { id, machine: found }, observed);
  const isAtRest = from === 'running' || from === 'stopped';
  if (transition && isAtRest)
    await database.change((transaction) =>
      transitionInstance(transaction, jobs, { userId, id, from, ...transition }, now()),
    );
}

/** The transition of a stable machine for an observed state; undefined: none. */
function transitionAfter(
  from: InstanceState,
  seen: Observation['state'],
): Omit<Transition, keyof OwnedRow | 'from'> | undefined {
  if (seen === 'gone') return { to: 'failed', error: 'The host no longer has this virtual machine.' };
  return from === 'running' && seen === 'stopped' ? { to: 'stopped', desired: 'stopped' } : undefined;
}
