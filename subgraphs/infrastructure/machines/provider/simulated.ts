import { createHash } from 'node:crypto';
import type { Runtime } from '../../../../kernel/subgraph/context.js';
import type { KnownMachine, Machine, MachineSpec, Observation, VmProvider } from './provider.js';

interface SimulatedMachine {
  readonly number: number;
  readonly state: 'running' | 'stopped' | 'gone';
  readonly readyAt: Date;
}

const FIND = {
  name: 'simulated-machine',
  text: 'SELECT number, state, ready_at AS "readyAt" FROM infrastructure.simulated_machine WHERE uuid = $1',
};

/** A destroyed machine keeps its row, so that a late `create` does not recreate it. */
const CREATE = `
  INSERT INTO infrastructure.simulated_machine (uuid, state, ready_at) VALUES ($1, 'running', $2)
  ON CONFLICT (uuid) DO UPDATE SET creations = simulated_machine.creations + 1`;
const TURN = `
  UPDATE infrastructure.simulated_machine SET state = $2, ready_at = $3, boots = boots + CASE $2 WHEN 'running' THEN 1 ELSE 0 END
   WHERE uuid = $1 AND state NOT IN ($2, 'gone')`;
const REBOOT = `
  UPDATE infrastructure.simulated_machine SET ready_at = $2, boots = boots + 1, last_reboot = $3
   WHERE uuid = $1 AND state = 'running' AND last_reboot IS DISTINCT FROM $3`;
const DESTROY = `
  INSERT INTO infrastructure.simulated_machine (uuid, state, ready_at) VALUES ($1, 'gone', $2)
  ON CONFLICT (uuid) DO UPDATE SET state = 'gone', ready_at = excluded.ready_at WHERE simulated_machine.state <> 'gone'`;

/** Simulates machines as database rows, with delays by the injected clock. */
export class SimulatedProvider implements VmProvider {
  constructor(private readonly dependencies: Pick<Runtime, 'database' | 'now'>) {}

  async create({ uuid }: MachineSpec): Promise<string> {
    await this.execute(CREATE, [uuid, this.readyAt(uuid, 'create')]);
    return `simulated:${uuid}`;
  }

  start({ uuid }: Machine): Promise<void> {
    return this.execute(TURN, [uuid, 'running', this.readyAt(uuid, 'start')]);
  }

  stop({ uuid }: Machine): Promise<void> {
    return this.execute(TURN, [uuid, 'stopped', this.readyAt(uuid, 'stop')]);
  }

  reboot({ uuid, command }: Machine): Promise<void> {
    return this.execute(REBOOT, [uuid, this.readyAt(uuid, 'reboot'), command]);
  }

  destroy({ uuid }: Machine): Promise<void> {
    return this.execute(DESTROY, [uuid, this.readyAt(uuid, 'destroy')]);
  }

  async observe({ uuid }: KnownMachine): Promise<Observation> {
    const [machine] = await this.dependencies.database.rows<SimulatedMachine>(FIND, [uuid]);
    if (!machine) return { state: 'gone', publicIp: null, overlayIp: null };
    const isReady = machine.readyAt <= this.dependencies.now();
    return { state: isReady ? machine.state : 'busy', publicIp: addressOf(machine.number), overlayIp: null };
  }

  /** A running simulated machine is always healthy. */
  async probe(machine: KnownMachine): Promise<boolean> {
    return (await this.observe(machine)).state === 'running';
  }

  async console({ uuid }: KnownMachine): Promise<string | null> {
    const [machine] = await this.dependencies.database.rows<SimulatedMachine>(FIND, [uuid]);
    return machine ? `Simulated machine ${machine.number} is ${machine.state}.\n` : null;
  }

  private async execute(text: string, values: readonly unknown[]): Promise<void> {
    await this.dependencies.database.change((transaction) => transaction.execute(text, values));
  }

  private readyAt(uuid: string, command: string): Date {
    return new Date(this.dependencies.now().getTime() + delayMs(uuid, command));
  }
}

/** From 1 to 3 seconds, always the same for a machine and a command. */
function delayMs(uuid: string, command: string): number {
  return 1_000 + (createHash('sha256').update(`${uuid} ${command}`).digest().readUInt32BE() % 2_000);
}

/** A documentation address. Source: RFC 5737 */
function addressOf(number: number): string {
  const nets = ['203.0.113', '198.51.100', '192.0.2'];
  return `${nets[Math.floor(number / 254) % nets.length]}.${(number % 254) + 1}`;
}
