import { randomUUID } from 'node:crypto';
import { ENROLL_VM } from '../../calls.js';
import type { MachineSpec } from '../provider/provider.js';
import { joinParts } from '../provider/seed/seed.rules.js';
import type { InfrastructureRuntime } from '../../services.js';

/** A machine that is about to be created. */
export interface NewMachine extends Omit<MachineSpec, 'parts' | 'ports' | 'goesOut'> {
  readonly userId: number;
  readonly joinsNetwork: boolean;
  /** Current user data of its application. */
  readonly template: string | null;
  readonly probePort: number | null;
}

/**
 * The specification of a machine with its first-boot parts. Each call returns the same, unless an administrator changes the
 * application meanwhile.
 */
export async function specOf({ callSubgraph }: InfrastructureRuntime, machine: NewMachine): Promise<MachineSpec> {
  const { userId, joinsNetwork, template, probePort, uuid, hostName } = machine;
  const parts = template === null ? [] : [template];
  if (joinsNetwork) {
    const joinCommand = await callSubgraph(ENROLL_VM, { userId, uuid, label: hostName }, randomUUID());
    if (joinCommand !== '') parts.push(...joinParts(joinCommand));
  }
  const { cpuCores, memoryMb, diskGb, image, application, sshPublicKey } = machine;
  const size = { cpuCores, memoryMb, diskGb };
  const ports = probePort === null ? [] : [probePort];
  return { uuid, hostName, ...size, image, application, sshPublicKey, parts, ports, goesOut: joinsNetwork };
}
