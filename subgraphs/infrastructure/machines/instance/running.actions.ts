import { randomUUID } from 'node:crypto';
import { OVERLAY_IP } from '../../calls.js';
import type { Observation, VmProvider } from '../provider/provider.js';
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

const NOTE = `
  UPDATE infrastructure.vm_instance
     SET public_ip = $2, overlay_ip = $3, application_health = $4, revision = revision + 1
   WHERE id = $1 AND state = 'running' AND (public_ip, overlay_ip, application_health) IS DISTINCT FROM ($2, $3, $4)
   RETURNING id`;

/** Updates the addresses and application health of a running machine. */
export async function updateRunning(
  runtime: InfrastructureRuntime,
  { id, machine }: { readonly id: number; readonly machine: RunningMachine },
  observed: Observation,
): Promise<void> {
  const publicIp = observed.publicIp ?? machine.publicIp;
  const overlayIp = observed.overlayIp ?? (await joinedAs(runtime, machine));
  const health = await healthOf(hostOf(runtime), machine);
  await runtime.database.change(async (transaction) => {
    const [noted] = await transaction.execute(NOTE, [id, publicIp, overlayIp, health]);
    if (noted) transaction.publishAfterCommit(instanceEvent(machine.userId, id));
  });
}

/** Overlay address; queried only until the machine has joined. */
async function joinedAs({ ask }: InfrastructureRuntime, machine: RunningMachine): Promise<string | null> {
  const { joinsNetwork, overlayIp, userId, uuid } = machine;
  if (!joinsNetwork || overlayIp !== null) return overlayIp;
  return (await ask(OVERLAY_IP, { userId, uuid }, randomUUID())) || null;
}

async function healthOf(provider: VmProvider, machine: RunningMachine): Promise<ApplicationHealth | null> {
  const { uuid, ref, probePort, probePath, health } = machine;
  if (probePort === null) return null;
  if (await provider.probe({ uuid, ref }, { port: probePort, path: probePath })) return 'healthy';
  // Until it is healthy for the first time, it is still being set up.
  return health === null || health === 'waiting' ? 'waiting' : 'unhealthy';
}
