import type { JobDefinition } from '../../../../kernel/jobs/jobs.js';
import type { Observation } from '../provider/provider.js';
import type { InfrastructureRuntime } from '../../services.js';
import { reconcileInstance } from './reconcile.actions.js';
import { forEachInstance } from './each-instance.js';
import { hostOf, POLL } from './host.actions.js';
import type { InstanceState } from './instance.js';
import { stepOf } from './instance.rules.js';
import { enqueueReconcile, moveInstance, type Transition } from './transition.actions.js';
import { updateRunning, type RunningMachine } from './running.actions.js';

const ON_THE_WAY = `
  SELECT id, revision FROM infrastructure.vm_instance
   WHERE state IN ('pending', 'spawning', 'stopping', 'starting', 'rebooting', 'terminating') ORDER BY id`;

/** Re-enqueues machines in transition whose worker was killed, and detects machines that changed on the host. */
export const WATCH_INSTANCES: JobDefinition<InfrastructureRuntime> = {
  name: 'watch-instances',
  cron: '* * * * *',
  lane: 'slow',
  runsAtStart: true,
  async work(_data, runtime) {
    await runtime.database.change(async (transaction) => {
      const found = await transaction.execute<{ id: number; revision: number }>(ON_THE_WAY);
      for (const machine of found) await enqueueReconcile(transaction, runtime.jobs, machine);
    });
    await forEachInstance(runtime, AT_REST, (id) => compareInstance(runtime, id));
  },
};

const AT_REST = {
  name: 'vm-at-rest',
  text: `SELECT id FROM infrastructure.vm_instance WHERE state IN ('running', 'stopped') AND id > $1 ORDER BY id LIMIT 200`,
};

const BY_UUID = {
  name: 'vm-by-uuid',
  text: 'SELECT id, state FROM infrastructure.vm_instance WHERE uuid = $1',
};

/** Polls a machine after the host reported a change. */
export const POLL_INSTANCE: JobDefinition<InfrastructureRuntime> = {
  name: POLL,
  lane: 'slow',
  async work({ uuid }, runtime) {
    const [found] = await runtime.database.rows<{ id: number; state: InstanceState }>(BY_UUID, [uuid]);
    if (!found) return;
    if (stepOf(found.state)) await reconcileInstance(runtime, found.id);
    else await compareInstance(runtime, found.id);
  },
};

const RESTING = {
  name: 'vm-resting',
  text: `SELECT i.uuid, i.user_id AS "userId", i.provider_ref AS ref, i.state, i.updated_at AS "askedAt", i.revision,
                i.joins_network AS "joinsNetwork", i.public_ip AS "publicIp", i.overlay_ip AS "overlayIp",
                i.application_health AS health, a.probe_port AS "probePort", a.probe_path AS "probePath"
           FROM infrastructure.vm_instance i LEFT JOIN infrastructure.vm_application a ON a.id = i.application_id WHERE i.id = $1`,
};

interface Resting extends RunningMachine {
  readonly state: InstanceState;
  readonly askedAt: Date;
  readonly revision: number;
}

/** Follows the state on the host: a guest that shut down is marked stopped, and one that should be stopped is stopped again. */
export async function compareInstance(runtime: InfrastructureRuntime, id: number): Promise<void> {
  const { database, jobs, now } = runtime;
  const [found] = await database.rows<Resting>(RESTING, [id]);
  if (!found) return;
  const { uuid, ref, state: from, askedAt, revision } = found;
  const provider = hostOf(runtime);
  const observed = await provider.observe({ uuid, ref });
  if (from === 'stopped' && observed.state === 'running') {
    await provider.stop({ uuid, ref, askedAt, command: String(revision) });
  }
  const move = moveAfter(from, observed.state);
  if (from === 'running' && observed.state === 'running')
    await updateRunning(runtime, { id, machine: found }, observed);
  const isAtRest = from === 'running' || from === 'stopped';
  if (move && isAtRest)
    await database.change((transaction) => moveInstance(transaction, jobs, { id, from, ...move }, now()));
}

/** The transition of a stable machine for an observed state; undefined: none. */
function moveAfter(from: InstanceState, seen: Observation['state']): Omit<Transition, 'id' | 'from'> | undefined {
  if (seen === 'gone') return { to: 'failed', error: 'The host no longer has this virtual machine.' };
  return from === 'running' && seen === 'stopped' ? { to: 'stopped', wanted: 'stopped' } : undefined;
}
