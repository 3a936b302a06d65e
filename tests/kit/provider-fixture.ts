import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openLog } from '../../kernel/telemetry/log.js';
import type { Database } from '../../kernel/database/database.js';
import type {
  Machine,
  MachineSpec,
  Observation,
  ProviderDependencies,
  VmProvider,
} from '../../subgraphs/infrastructure/machines/provider/provider.js';
import { SSH_KEY } from './machine.js';

/** A host of machines as a test sees it. */
export interface ProviderFixture {
  /** Another one each time, as after a restart of the platform: what it knows, the host knows. */
  readonly provider: () => VmProvider;
  readonly clock: TestClock;
  /** An image that the host has. */
  readonly image: string;
  /** How often the machine was started or reset. */
  readonly boots: (uuid: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Time that a test turns. */
export class TestClock {
  nowMs = Date.parse('2027-01-01T00:00:00.000Z');
  readonly now = (): Date => new Date(this.nowMs);
}

/** What a provider is given, without a database unless there is one. */
export function providerDependencies(
  clock: TestClock,
  database?: Database,
): ProviderDependencies & { readonly heard: string[] } {
  const heard: string[] = [];
  const changed = (uuid: string) => void heard.push(uuid);
  const dependencies = { now: clock.now, log: openLog('silent', 'tests'), changed, heard, database };
  return dependencies as Partial<ProviderDependencies> as ProviderDependencies & { readonly heard: string[] };
}

export function specOf({ image }: Pick<ProviderFixture, 'image'>, fields: Partial<MachineSpec> = {}): MachineSpec {
  return {
    uuid: randomUUID(),
    hostName: 'a-test',
    cpuCores: 1,
    memoryMb: 128,
    diskGb: 1,
    image,
    application: null,
    sshPublicKey: SSH_KEY,
    parts: [],
    ports: [],
    goesOut: false,
    ...fields,
  };
}

export type Word = 'start' | 'stop' | 'reboot' | 'destroy';

/** A command to a machine, as it is repeated. */
export function commandTo({ clock }: ProviderFixture, uuid: string, ref: string | null = null): Machine {
  return { uuid, ref, askedAt: clock.now(), command: randomUUID() };
}

const TRIES = 400;

/** Repeats a command, each time by another provider, and looks until the host is done, as the platform does; time passes meanwhile. */
export async function repeatUntilDone(
  stage: ProviderFixture,
  word: Word | MachineSpec,
  machine: Machine,
): Promise<Observation> {
  const until = { start: 'running', stop: 'stopped', reboot: 'running', destroy: 'gone' } as const;
  let seen: Observation | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const provider = stage.provider();
    if (typeof word === 'string') await provider[word](machine);
    else await provider.create(word);
    seen = await provider.observe(machine);
    if (seen.state === (typeof word === 'string' ? until[word] : 'running')) return seen;
    stage.clock.nowMs += 1_000;
    await delay(20);
  }
  throw new Error(`the host is not done: ${JSON.stringify(seen)}`);
}

/** A machine that runs. */
export async function createRunning(stage: ProviderFixture, fields: Partial<MachineSpec> = {}): Promise<MachineSpec> {
  const spec = specOf(stage, fields);
  await repeatUntilDone(stage, spec, commandTo(stage, spec.uuid));
  return spec;
}
