import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { query } from '../../../../kernel/database/query.js';
import { OVERLAY_IP } from '../../calls.js';
import type { Observation, VmProvider } from '../provider/provider.js';
import type { Tables } from '../../entities.js';
import type { OwnedRow } from '../../owned-row.rules.js';
import type { InfrastructureRuntime } from '../../services.js';
import { hostOf } from './host.actions.js';
import type { ApplicationHealth, InstanceState } from './instance.js';
import { isCosting } from './instance.rules.js';
import { instanceEvent, SETTLE } from './transition.actions.js';

/** Known properties of a running machine. */
export interface RunningMachine {
  readonly uuid: string;
  readonly userId: number;
  readonly ref: string | null;
  readonly joinsNetwork: boolean;
  readonly publicIp: string | null;
  readonly overlayIp: string | null;
  readonly health: ApplicationHealth | null;
  readonly probePort: number | null;
  readonly probePath: string | null;
}

const UPDATE_RUNNING = query(
  'note-running-vm',
  (db: Tables, value: Pick<RunningMachine, 'userId' | 'publicIp' | 'overlayIp' | 'health'> & { id: number }) => {
    const { userId, id, publicIp, overlayIp, health } = value;
    return db
      .updateTable('vmInstance')
      .set((row) => ({ publicIp, overlayIp, applicationHealth: health, revision: row('revision', '+', 1) }))
      .where((row) => row.and({ userId, id, state: 'running' }))
      .where(
        sql<boolean>`(public_ip, overlay_ip, application_health) IS DISTINCT FROM (${publicIp}, ${overlayIp}, ${health})`,
      )
      .returning('id');
  },
);

/** Updates the addresses and application health of a running machine. */
export async function updateRunning(
  runtime: InfrastructureRuntime,
  { id, machine }: { readonly id: number; readonly machine: RunningMachine },
  observed: Observation,
): Promise<void> {
  const publicIp = observed.publicIp ?? machine.publicIp;
  const overlayIp = observed.overlayIp ?? (await joinedAs(runtime, machine));
  const { userId } = machine;
  const health = await healthOf(hostOf(runtime), machine);
  await runtime.database.change(async (transaction) => {
    const [noted] = await transaction.run(UPDATE_RUNNING, { userId, id, publicIp, overlayIp, health });
    if (noted) transaction.publishAfterCommit(instanceEvent(userId, id));
  });
}

/** Overlay address; queried only until the machine has joined. */
async function joinedAs({ callSubgraph }: InfrastructureRuntime, machine: RunningMachine): Promise<string | null> {
  const { joinsNetwork, overlayIp, userId, uuid } = machine;
  if (!joinsNetwork || overlayIp !== null) return overlayIp;
  return (await callSubgraph(OVERLAY_IP, { userId, uuid }, randomUUID())) || null;
}

async function healthOf(provider: VmProvider, machine: RunningMachine): Promise<ApplicationHealth | null> {
  const { uuid, ref, probePort, probePath, health } = machine;
  if (probePort === null) return null;
  if (await provider.probe({ uuid, ref }, { port: probePort, path: probePath })) return 'healthy';
  // Until it is healthy for the first time, it is still being set up.
  return health === null || health === 'waiting' ? 'waiting' : 'unhealthy';
}

/** More milliseconds than that without a settlement were an outage: settlements come each minute. */
export const MAX_UNSETTLED_MS = 15 * 60_000;

/** Seconds of running that are charged, rounded up; `charge_credits` is a charge that is not confirmed yet. */
const CHARGED_SECONDS = sql`ceil(((charged + coalesce(charge_credits, 0)) * 3600 - stopped_ms / 1000 * stopped_credits_per_hour)
                                 / credits_per_hour)`;

const SET_CLOCK = query(
  'set-vm-clock',
  (_: Tables, value: OwnedRow & { revision: number; isSeen: boolean; now: Date }) => sql<object>`
  WITH known AS (SELECT FROM infrastructure.vm_instance
                  WHERE user_id = ${value.userId} AND id = ${value.id} AND state IN ('running', 'rebooting') AND revision = ${value.revision} FOR UPDATE),
  counted AS (
    SELECT user_id, instance_id, greatest(0, ${CHARGED_SECONDS} * 1000)::bigint AS charged_ms,
           ran_ms + coalesce(greatest(0, round(extract(epoch FROM (${value.now}::timestamptz - running_since)) * 1000)), 0)::bigint AS ms
      FROM infrastructure.vm_billing CROSS JOIN known
     WHERE user_id = ${value.userId} AND instance_id = ${value.id} AND (running_since IS NULL) = ${value.isSeen} FOR UPDATE OF vm_billing)
  UPDATE infrastructure.vm_billing b
     SET ran_ms = CASE WHEN ${value.isSeen} OR ms <= charged_ms + ${sql.lit(MAX_UNSETTLED_MS)}
                         OR b.charge_credits IS NOT NULL OR b.hold_state = 'requested' THEN ms ELSE charged_ms END,
         running_since = CASE WHEN ${value.isSeen} THEN ${value.now}::timestamptz END
    FROM counted WHERE b.user_id = counted.user_id AND b.instance_id = counted.instance_id RETURNING b.instance_id`,
);

/** A machine as it was before its host was asked. */
interface KnownInstance extends OwnedRow {
  readonly state: InstanceState;
  readonly revision: number;
  /** Undefined: not read. */
  readonly runningSince?: Date | null;
}

/**
 * Stops the clock of a running machine that is not seen running, and starts it again when it is; not after a command meanwhile.
 * The time of an outage is not counted then: nobody knows how long it ran. A step that awaits its confirmation tells that only
 * `accounts` was away.
 */
export async function setClock(
  { database, jobs, now }: Pick<InfrastructureRuntime, 'database' | 'jobs' | 'now'>,
  { userId, id, state, revision, runningSince }: KnownInstance,
  isSeen: boolean,
): Promise<void> {
  if (!isCosting(state) || (runningSince !== undefined && isSeen === (runningSince !== null))) return;
  await database.change(async (transaction) => {
    const [changed] = await transaction.run(SET_CLOCK, { userId, id, revision, isSeen, now: now() });
    if (!changed) return;
    transaction.publishAfterCommit(instanceEvent(userId, id));
    // Releases the hold of a clock that stands still, and places one when it goes on.
    await jobs.enqueue(transaction, SETTLE, { userId, id }, { key: String(id) });
  });
}
