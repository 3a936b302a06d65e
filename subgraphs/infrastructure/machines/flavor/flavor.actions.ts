import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { FLAVOR_COLUMNS, givenColumns, type VmFlavor, type VmFlavorArgs } from './flavor.js';
import { wrongStoppedPrice } from './flavor.rules.js';

const FLAVORS_ON_OFFER = query('flavors-on-offer', (db: Tables) =>
  db.selectFrom('vmFlavor').select(FLAVOR_COLUMNS).where('retiredAt', 'is', null).orderBy('id'),
);

/** The available flavors, oldest first. */
export function listFlavors(database: Database): Promise<VmFlavor[]> {
  return database.run(FLAVORS_ON_OFFER, {});
}

const RETIRED_FLAVORS = query('retired-flavors', (db: Tables) =>
  db.selectFrom('vmFlavor').select(FLAVOR_COLUMNS).where('retiredAt', 'is not', null).orderBy('id'),
);

/** The retired flavors, oldest first. */
export function listRetiredFlavors(database: Database): Promise<VmFlavor[]> {
  return database.run(RETIRED_FLAVORS, {});
}

const ADD = query('add-flavor', (db: Tables, value: VmFlavorArgs) =>
  db
    .insertInto('vmFlavor')
    .values({
      ...givenColumns(value),
      stoppedCreditsPerHour: sql`coalesce(${value.stoppedCreditsPerHour}::numeric, 0)`,
    })
    .returning(FLAVOR_COLUMNS),
);
const CHANGE = query('change-flavor', (db: Tables, value: VmFlavorArgs) =>
  db
    .updateTable('vmFlavor')
    .set(givenColumns(value))
    .set({
      stoppedCreditsPerHour: sql`coalesce(${value.stoppedCreditsPerHour}::numeric, stopped_credits_per_hour)`,
      retiredAt: null,
    })
    .where('id', '=', sql<number>`${value.id}`)
    .returning(FLAVOR_COLUMNS),
);
const RETIRE = query('retire-flavor', (db: Tables, value: { id: number; now: Date }) =>
  db
    .updateTable('vmFlavor')
    .set({ retiredAt: sql<Date>`coalesce(retired_at, ${value.now})` })
    .where('id', '=', value.id)
    .returning(FLAVOR_COLUMNS),
);

/** Adds a flavor, or changes one and makes it available again. @throws NOT_FOUND, CONFLICT for the name, BAD_REQUEST when it would cost more stopped than running */
export function saveFlavor(database: Database, args: VmFlavorArgs): Promise<VmFlavor> {
  const work = database.change(async (transaction) => {
    const [flavor] = await transaction.run(typeof args.id === 'number' ? CHANGE : ADD, args);
    if (!flavor) throw notFound('There is no such flavor.');
    return flavor;
  });
  return work.catch((error: unknown) => {
    const constraint = violatedConstraint(error);
    if (constraint === 'vm_flavor_stopped_price') throw wrongStoppedPrice();
    if (constraint !== 'vm_flavor_name') throw error;
    throw conflict(`An available or retired flavor is already named "${args.name}".`);
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
