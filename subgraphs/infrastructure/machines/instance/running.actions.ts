import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { query, type Query } from '../../../../kernel/database/query.js';
import { VM_ADDRESSES } from '../../calls.js';
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
  readonly publicIp: string | null;
  readonly health: ApplicationHealth | null;
  readonly probePort: number | null;
  readonly probePath: string | null;
}

const UPDATE_RUNNING = query(
  'note-running-vm',
  (db: Tables, value: Pick<RunningMachine, 'userId' | 'publicIp' | 'health'> & { id: number }) => {
    const { userId, id, publicIp, health } = value;
    return db
      .updateTable('vmInstance')
      .set((row) => ({ publicIp, applicationHealth: health, revision: row('revision', '+', 1) }))
      .where((row) => row.and({ userId, id, state: 'running' }))
      .where(sql<boolean>`(public_ip, application_health) IS DISTINCT FROM (${publicIp}, ${health})`)
      .returning('id');
  },
);

/** Updates the public address and application health of a running machine. */
export async function updateRunning(
  runtime: InfrastructureRuntime,
  { id, machine }: { readonly id: number; readonly machine: RunningMachine },
  observed: Observation,
): Promise<void> {
  const publicIp = observed.publicIp ?? machine.publicIp;
  const { userId } = machine;
  const health = await healthOf(hostOf(runtime), machine);
  await runtime.database.change(async (transaction) => {
    const [noted] = await transaction.run(UPDATE_RUNNING, { userId, id, publicIp, health });
    if (noted) transaction.publishAfterCommit(instanceEvent(userId, id));
  });
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
  (_: Tables, value: OwnedRow & { revision: number; isSeen: boolean; now: Date }) => sql<{ revision: number }>`
  WITH known AS (SELECT FROM infrastructure.vm_instance
                  WHERE user_id = ${value.userId} AND id = ${value.id} AND state IN ('running', 'rebooting') AND revision = ${value.revision} FOR UPDATE),
  counted AS (
    SELECT user_id, instance_id, greatest(0, ${CHARGED_SECONDS} * 1000)::bigint AS charged_ms,
           ran_ms + coalesce(greatest(0, round(extract(epoch FROM (${value.now}::timestamptz - running_since)) * 1000)), 0)::bigint AS ms
      FROM infrastructure.vm_billing CROSS JOIN known
     WHERE user_id = ${value.userId} AND instance_id = ${value.id} AND (running_since IS NULL) = ${value.isSeen} FOR UPDATE OF vm_billing),
  changed AS (
  UPDATE infrastructure.vm_billing b
     SET ran_ms = CASE WHEN ${value.isSeen} OR ms <= charged_ms + ${sql.lit(MAX_UNSETTLED_MS)}
                         OR b.charge_credits IS NOT NULL OR b.hold_state = 'requested' THEN ms ELSE charged_ms END,
         running_since = CASE WHEN ${value.isSeen} THEN ${value.now}::timestamptz END
    FROM counted WHERE b.user_id = counted.user_id AND b.instance_id = counted.instance_id RETURNING b.instance_id)
  UPDATE infrastructure.vm_instance SET revision = revision + (state = 'running')::integer
   WHERE user_id = ${value.userId} AND id = (SELECT instance_id FROM changed) RETURNING revision`,
);

/** A machine as it was before its host was asked. */
interface KnownInstance extends OwnedRow {
  readonly state: InstanceState;
  readonly revision: number;
  /** Undefined: not read. */
  readonly runningSince?: Date | null;
}

type BillingRuntime = Pick<InfrastructureRuntime, 'database' | 'jobs' | 'now'>;

/**
 * Stops the clock of a running machine that is not seen running; not after a command meanwhile. The time of an outage is not
 * counted, because it is unknown how long it ran. A charge or hold that awaits its confirmation shows that only `accounts` was
 * down. The revision counts it, except during a reboot, which is named by the revision. @returns the revision
 */
export function pauseBilling(runtime: BillingRuntime, instance: KnownInstance): Promise<number> {
  return setClock(runtime, instance, false);
}

/** Starts the clock of a running machine again when it is seen running; not after a command meanwhile. @returns the revision */
export function resumeBilling(runtime: BillingRuntime, instance: KnownInstance): Promise<number> {
  return setClock(runtime, instance, true);
}

async function setClock(
  { database, jobs, now }: BillingRuntime,
  { userId, id, state, revision, runningSince }: KnownInstance,
  isSeen: boolean,
): Promise<number> {
  if (!isCosting(state) || (runningSince !== undefined && isSeen === (runningSince !== null))) return revision;
  return database.change(async (transaction) => {
    const [changed] = await transaction.run(SET_CLOCK, { userId, id, revision, isSeen, now: now() });
    if (!changed) return revision;
    transaction.publishAfterCommit(instanceEvent(userId, id));
    // Releases the hold of a clock that stands still, and places one when it goes on.
    await jobs.enqueue(transaction, SETTLE, { userId, id }, { key: String(id) });
    return changed.revision;
  });
}

interface KnownAddress extends OwnedRow {
  readonly uuid: string;
  readonly overlayIp: string | null;
}

const IS_STABLE = sql<boolean>`state IN ('running', 'stopped', 'failed')`;

const KNOWN_ADDRESS = query('vm-overlay-address', (db: Tables, value: OwnedRow) =>
  db
    .selectFrom('vmInstance')
    .select(['userId', 'id', 'uuid', 'overlayIp'])
    .where('userId', '=', value.userId)
    .where('id', '=', value.id)
    .where(IS_STABLE),
);

/** Compares the overlay addresses of stable machines with their peers: one that was deleted leaves its address to others. */
export async function updateOverlayAddresses(
  runtime: InfrastructureRuntime,
  statement: Query<{ after: number }, KnownAddress>,
): Promise<void> {
  for (let after = 0; ;) {
    const known = await runtime.database.run(statement, { after });
    const last = known.at(-1);
    if (!last) return;
    await updateFromPeers(runtime, known);
    after = last.id;
  }
}

/** Compares the overlay address of a machine with its peer. */
export async function updateOverlayAddress(runtime: InfrastructureRuntime, { userId, id }: OwnedRow): Promise<void> {
  const known = await runtime.database.run(KNOWN_ADDRESS, { userId, id });
  if (known.length > 0) await updateFromPeers(runtime, known);
}

const SET_OVERLAY_ADDRESS = query('set-vm-overlay-address', (db: Tables, value: KnownAddress & { ip: string | null }) =>
  db
    .updateTable('vmInstance')
    .set((row) => ({ overlayIp: value.ip, revision: row('revision', '+', 1) }))
    .where('userId', '=', value.userId)
    .where('id', '=', value.id)
    .where(IS_STABLE)
    // Another process may have stored a newer one.
    .where('overlayIp', 'is not distinct from', value.overlayIp)
    .returning('id'),
);

async function updateFromPeers(
  { database, callSubgraph }: InfrastructureRuntime,
  known: readonly KnownAddress[],
): Promise<void> {
  const keys = { userIds: [...new Set(known.map(({ userId }) => userId))], uuids: known.map(({ uuid }) => uuid) };
  const found = await callSubgraph(VM_ADDRESSES, keys, randomUUID());
  const addresses = new Map(found.map(({ userId, uuid, ip }) => [`${userId} ${uuid}`, ip]));
  for (const { userId, id, uuid, overlayIp } of known) {
    const ip = addresses.get(`${userId} ${uuid}`) ?? null;
    if (ip === overlayIp) continue;
    await database.change(async (transaction) => {
      const set = await transaction.run(SET_OVERLAY_ADDRESS, { userId, id, uuid, overlayIp, ip });
      if (set.length > 0) transaction.publishAfterCommit(instanceEvent(userId, id));
    });
  }
}
