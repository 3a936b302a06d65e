import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import { FLAVOR_COLUMNS, type VmFlavor } from './flavor.js';
import { wrongStoppedPrice, type FlavorSpec } from './flavor.rules.js';

const FLAVORS_ON_OFFER = {
  name: 'flavors-on-offer',
  text: `SELECT ${FLAVOR_COLUMNS} FROM infrastructure.vm_flavor WHERE retired_at IS NULL ORDER BY id`,
};

/** The available flavors, oldest first. */
export function listFlavors(database: Database): Promise<VmFlavor[]> {
  return database.rows<VmFlavor>(FLAVORS_ON_OFFER);
}

const ADD = `
  INSERT INTO infrastructure.vm_flavor (name, display_name, cpu_cores, memory_mb, data_disk_gb, credits_per_hour, description,
                                        stopped_credits_per_hour)
  VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8::numeric, 0)) RETURNING ${FLAVOR_COLUMNS}`;
const CHANGE = `
  UPDATE infrastructure.vm_flavor
     SET name = $1, display_name = $2, cpu_cores = $3, memory_mb = $4, data_disk_gb = $5, credits_per_hour = $6, description = $7,
         stopped_credits_per_hour = coalesce($8::numeric, stopped_credits_per_hour), retired_at = NULL
   WHERE id = $9 RETURNING ${FLAVOR_COLUMNS}`;

/** Adds a flavor, or changes one and makes it available again. @throws NOT_FOUND, CONFLICT for the name, BAD_REQUEST when it would cost more stopped than running */
export function saveFlavor(database: Database, id: number | undefined, terms: FlavorSpec): Promise<VmFlavor> {
  const values = [
    terms.name,
    terms.displayName,
    terms.cpuCores,
    terms.memoryMb,
    terms.dataDiskGb,
    terms.creditsPerHour,
    terms.description,
    terms.stoppedCreditsPerHour,
  ];
  const work = database.change(async (transaction) => {
    const [flavor] = await (id === undefined
      ? transaction.execute<VmFlavor>(ADD, values)
      : transaction.execute<VmFlavor>(CHANGE, [...values, id]));
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
    const [flavor] = await transaction.execute<VmFlavor>(
      `UPDATE infrastructure.vm_flavor SET retired_at = coalesce(retired_at, $1) WHERE id = $2 RETURNING ${FLAVOR_COLUMNS}`,
      [now, id],
    );
    if (!flavor) throw notFound('There is no such flavor.');
    return flavor;
  });
}
