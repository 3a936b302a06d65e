import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { FLAVOR_COLUMNS, type VmFlavor } from './flavor.js';
import { wrongStoppedPrice, type FlavorSpec } from './flavor.rules.js';

const FLAVORS_ON_OFFER = query('flavors-on-offer', (db: Tables) =>
  db.selectFrom('vmFlavor').select(FLAVOR_COLUMNS).where('retiredAt', 'is', null).orderBy('id'),
);

/** The available flavors, oldest first. */
export function listFlavors(database: Database): Promise<VmFlavor[]> {
  return database.run(FLAVORS_ON_OFFER, {});
}

const ADD = query('add-flavor', (db: Tables, value: FlavorSpec) => {
  const { name, displayName, cpuCores, memoryMb, dataDiskGb, creditsPerHour, description } = value;
  const stoppedCreditsPerHour = sql<string>`coalesce(${value.stoppedCreditsPerHour}::numeric, 0)`;
  return db
    .insertInto('vmFlavor')
    .values({ name, displayName, cpuCores, memoryMb, dataDiskGb, creditsPerHour, description, stoppedCreditsPerHour })
    .returning(FLAVOR_COLUMNS);
});
const CHANGE = query('change-flavor', (db: Tables, value: FlavorSpec & { id: number }) => {
  const { name, displayName, cpuCores, memoryMb, dataDiskGb, creditsPerHour, description } = value;
  const stoppedCreditsPerHour = sql<string>`coalesce(${value.stoppedCreditsPerHour}::numeric, stopped_credits_per_hour)`;
  return db
    .updateTable('vmFlavor')
    .set({ name, displayName, cpuCores, memoryMb, dataDiskGb, creditsPerHour, description, stoppedCreditsPerHour })
    .set({ retiredAt: null })
    .where('id', '=', value.id)
    .returning(FLAVOR_COLUMNS);
});
const RETIRE = query('retire-flavor', (db: Tables, value: { id: number; now: Date }) =>
  db
    .updateTable('vmFlavor')
    .set({ retiredAt: sql<Date>`coalesce(retired_at, ${value.now})` })
    .where('id', '=', value.id)
    .returning(FLAVOR_COLUMNS),
);

/** Adds a flavor, or changes one and makes it available again. @throws NOT_FOUND, CONFLICT for the name, BAD_REQUEST when it would cost more stopped than running */
export function saveFlavor(database: Database, id: number | undefined, terms: FlavorSpec): Promise<VmFlavor> {
  const work = database.change(async (transaction) => {
    const [flavor] = await (id === undefined ? transaction.run(ADD, terms) : transaction.run(CHANGE, { ...terms, id }));
    if (!flavor) throw notFound('There is no such flavor.');
    return flavor;
  });
  return work.catch((error: unknown) => {
    const constraint = violatedConstraint(error);
    if (constraint === 'vm_flavor_stopped_price') throw wrongStoppedPrice();
    if (constraint !== 'vm_flavor_name') throw error;
    throw conflict(`An available or retired flavor is already named "${terms.name}".`);
  });
}

/** Retires a flavor. Safe to repeat. @throws NOT_FOUND */
export function retireFlavor(database: Database, id: number, now: Date): Promise<VmFlavor> {
  return database.change(async (transaction) => {
    const [flavor] = await transaction.run(RETIRE, { id, now });
    if (!flavor) throw notFound('There is no such flavor.');
    return flavor;
  });
}
