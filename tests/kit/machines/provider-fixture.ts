import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openLog } from '../../../kernel/telemetry/log.js';
import type { Database } from '../../../kernel/database/database.js';
import type {
  Machine,
  MachineSpec,
  Observation,
  ProviderDependencies,
  VmProvider,
} from '../../../subgraphs/infrastructure/machines/provider/provider.js';
import { SSH_KEY } from './machine.js';

/** A machine host under test. */
export interface ProviderFixture {
  /** Returns a new provider each time, as after a restart of the platform: all state is on the host. */
  readonly provider: () => VmProvider;
  readonly clock: TestClock;
  /** An image on the host. */
  readonly image: string;
  /** Number of starts and resets of the machine. */
  readonly boots: (uuid: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** A clock that the test controls. */
export class TestClock {
  nowMs = Date.parse('2027-01-01T00:00:00.000Z');
  readonly now = (): Date => new Date(this.nowMs);
}

/** Dependencies of a provider, without a database by default. */
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

export type MachineCommand = 'start' | 'stop' | 'reboot' | 'destroy';

/** Returns a repeatable command to a machine. */
export function commandTo({ clock }: ProviderFixture, uuid: string, ref: string | null = null): Machine {
  return { uuid, ref, requestedAt: clock.now(), command: randomUUID() };
}

const TRIES = 400;

/** Repeats a command until the host is done, as the platform does, each time with a new provider. Advances the clock. */
export async function repeatUntilDone(
  fixture: ProviderFixture,
  word: MachineCommand | MachineSpec,
  machine: Machine,
): Promise<Observation> {
  const until = { start: 'running', stop: 'stopped', reboot: 'running', destroy: 'gone' } as const;
  let seen: Observation | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const provider = fixture.provider();
    if (typeof word === 'string') await provider[word](machine);
    else await provider.create(word);
    seen = await provider.observe(machine);
    if (seen.state === (typeof word === 'string' ? until[word] : 'running')) return seen;
    fixture.clock.nowMs += 1_000;
    await delay(20);
  }
  throw new Error(`the host is not done: ${JSON.stringify(seen)}`);
}

/** Creates a running machine. */
export async function createRunning(fixture: ProviderFixture, fields: Partial<MachineSpec> = {}): Promise<MachineSpec> {
  const spec = specOf(fixture, fields);
  await repeatUntilDone(fixture, spec, commandTo(fixture, spec.uuid));
  return spec;
}
