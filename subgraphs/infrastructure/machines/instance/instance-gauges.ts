import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { METRICS, type Sample } from '../../../../kernel/telemetry/metrics.js';
import type { Tables } from '../../entities.js';
import { InstanceStateEnum } from './instance.js';

const MACHINES = METRICS.gauge('machines', 'Machines by state, without the terminated ones.', ['state']);

const COUNT = query('count-machines', (db: Tables) =>
  db
    .selectFrom('vmInstance')
    .select(['state', sql<number>`count(*)::integer`.as('count')])
    .where('state', '<>', sql.lit('terminated'))
    .groupBy('state'),
);

/** Reads the number of machines in each state. */
export async function readMachineGauges(database: Database): Promise<Sample[]> {
  const counts = new Map<string, number>((await database.run(COUNT, {})).map(({ state, count }) => [state, count]));
  const states = Object.keys(InstanceStateEnum).filter((state) => state !== 'terminated');
  return states.map((state) => ({ gauge: MACHINES, labels: [state], value: counts.get(state) ?? 0 }));
}
