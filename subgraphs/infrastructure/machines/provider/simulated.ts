import { sql } from 'kysely';
import { createHash } from 'node:crypto';
import { query, type Query } from '../../../../kernel/database/query.js';
import type { Runtime } from '../../../../kernel/subgraph/context.js';
import type { Tables } from '../../entities.js';
import type { KnownMachine, Machine, MachineSpec, Observation, VmProvider } from './provider.js';

const FIND = query('simulated-machine', (db: Tables, value: { uuid: string }) =>
  db.selectFrom('simulatedMachine').select(['number', 'state', 'readyAt']).where('uuid', '=', value.uuid),
);

interface Change {
  readonly uuid: string;
  readonly readyAt: Date;
}

/** A destroyed machine keeps its row, so that a late `create` does not recreate it. */
const CREATE = query('create-simulated-machine', (db: Tables, { uuid, readyAt }: Change) =>
  db
    .insertInto('simulatedMachine')
    .values({ uuid, state: 'running', readyAt })
    .onConflict((on) =>
      on.column('uuid').doUpdateSet((row) => ({ creations: row('simulatedMachine.creations', '+', 1) })),
    ),
);
const TURN = query(
  'turn-simulated-machine',
  (db: Tables, { uuid, state, readyAt }: Change & { state: 'running' | 'stopped' }) =>
    db
      .updateTable('simulatedMachine')
      .set({ state, readyAt, boots: sql<number>`boots + CASE ${state}::text WHEN 'running' THEN 1 ELSE 0 END` })
      .where('uuid', '=', uuid)
      .where('state', 'not in', [state, 'gone']),
);
const REBOOT = query('reboot-simulated-machine', (db: Tables, value: Change & { command: string }) =>
  db
    .updateTable('simulatedMachine')
    .set((row) => ({
      state: 'running',
      readyAt: value.readyAt,
      boots: row('boots', '+', 1),
      lastReboot: value.command,
    }))
    .where('uuid', '=', value.uuid)
    .where('state', '<>', 'gone')
    .where('lastReboot', 'is distinct from', value.command),
);
const DESTROY = query('destroy-simulated-machine', (db: Tables, { uuid, readyAt }: Change) =>
  db
    .insertInto('simulatedMachine')
    .values({ uuid, state: 'gone', readyAt })
    .onConflict((on) =>
      on
        .column('uuid')
        .doUpdateSet((row) => ({ state: 'gone', readyAt: row.ref('excluded.readyAt') }))
        .where('simulatedMachine.state', '<>', 'gone'),
    ),
);

/** Simulates machines as database rows, with delays by the injected clock. */
export class SimulatedProvider implements VmProvider {
  constructor(private readonly dependencies: Pick<Runtime, 'database' | 'now'>) {}

  async create({ uuid }: MachineSpec): Promise<string> {
    await this.change(CREATE, { uuid, readyAt: this.readyAt(uuid, 'create') });
    return `simulated:${uuid}`;
  }

  start({ uuid }: Machine): Promise<void> {
    return this.change(TURN, { uuid, state: 'running', readyAt: this.readyAt(uuid, 'start') });
  }

  stop({ uuid }: Machine): Promise<void> {
    return this.change(TURN, { uuid, state: 'stopped', readyAt: this.readyAt(uuid, 'stop') });
  }

  reboot({ uuid, command }: Machine): Promise<void> {
    return this.change(REBOOT, { uuid, readyAt: this.readyAt(uuid, 'reboot'), command });
  }

  destroy({ uuid }: Machine): Promise<void> {
    return this.change(DESTROY, { uuid, readyAt: this.readyAt(uuid, 'destroy') });
  }

  async observe({ uuid }: KnownMachine): Promise<Observation> {
    const [machine] = await this.dependencies.database.run(FIND, { uuid });
    if (!machine) return { state: 'gone', publicIp: null };
    const isReady = machine.readyAt <= this.dependencies.now();
    return { state: isReady ? machine.state : 'busy', publicIp: addressOf(machine.number) };
  }

  /** A running simulated machine is always healthy. */
  async probe(machine: KnownMachine): Promise<boolean> {
    return (await this.observe(machine)).state === 'running';
  }

  async console({ uuid }: KnownMachine): Promise<string | null> {
    const [machine] = await this.dependencies.database.run(FIND, { uuid });
    return machine ? `Simulated machine ${machine.number} is ${machine.state}.\n` : null;
  }

  private async change<Values extends object>(statement: Query<Values, unknown>, values: Values): Promise<void> {
    await this.dependencies.database.change((transaction) => transaction.run(statement, values));
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
