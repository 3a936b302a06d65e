import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { query } from '../../../../kernel/database/query.js';
import { OVERLAY_IP } from '../../calls.js';
import type { Observation, VmProvider } from '../provider/provider.js';
import type { Tables } from '../../entities.js';
import type { InfrastructureRuntime } from '../../services.js';
import { hostOf } from './host.actions.js';
import type { ApplicationHealth } from './instance.js';
import { instanceEvent } from './transition.actions.js';

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
