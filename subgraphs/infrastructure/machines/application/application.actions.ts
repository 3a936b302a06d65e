import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import { APPLICATION_COLUMNS, type VmApplication } from './application.js';
import type { ApplicationSpec } from './application.rules.js';

const APPLICATIONS_ON_OFFER = {
  name: 'applications-on-offer',
  text: `SELECT ${APPLICATION_COLUMNS} FROM infrastructure.vm_application WHERE retired_at IS NULL ORDER BY id`,
};

/** The available applications, oldest first. */
export function listApplications(database: Database): Promise<VmApplication[]> {
  return database.rows<VmApplication>(APPLICATIONS_ON_OFFER);
}

const ADD = `
  INSERT INTO infrastructure.vm_application (name, slug, description, logo_url, user_data, probe_port, probe_path)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  RETURNING ${APPLICATION_COLUMNS}`;
const CHANGE = `
  UPDATE infrastructure.vm_application 
     SET name = $1, slug = $2, description = $3, logo_url = $4, user_data = $5, probe_port = $6, probe_path = $7, retired_at = NULL
   WHERE id = $8
  RETURNING ${APPLICATION_COLUMNS}`;

/** Adds an application, or changes one and makes it available again. @throws NOT_FOUND, CONFLICT for name and slug */
export function saveApplication(
  database: Database,
  id: number | undefined,
  terms: ApplicationSpec,
): Promise<VmApplication> {
  const { name, slug, description, logoUrl, userData, probePort, probePath } = terms;
  const values = [name, slug, description, logoUrl, userData, probePort, probePath];
  const work = database.change(async (transaction) => {
    const [application] = await (id === undefined
      ? transaction.execute<VmApplication>(ADD, values)
      : transaction.execute<VmApplication>(CHANGE, [...values, id]));
    if (!application) throw notFound('There is no such application.');
    return application;
  });
  return work.catch((error: unknown) => {
    const taken = TAKEN.get(violatedConstraint(error) ?? '');
    throw taken ? conflict(`An available or retired application already has this ${taken}.`) : error;
  });
}

const TAKEN: ReadonlyMap<string, string> = new Map([
  ['vm_application_name', 'name'],
  ['vm_application_slug', 'slug'],
]);

/** Retires an application. Safe to repeat. @throws NOT_FOUND */
export function retireApplication(database: Database, id: number, now: Date): Promise<VmApplication> {
  return database.change(async (transaction) => {
    const [application] = await transaction.execute<VmApplication>(
      `UPDATE infrastructure.vm_application SET retired_at = coalesce(retired_at, $1) WHERE id = $2
       RETURNING ${APPLICATION_COLUMNS}`,
      [now, id],
    );
    if (!application) throw notFound('There is no such application.');
    return application;
  });
}
