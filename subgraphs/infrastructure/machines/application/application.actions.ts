import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { APPLICATION_COLUMNS, type VmApplication } from './application.js';
import type { ApplicationSpec } from './application.rules.js';

const APPLICATIONS_ON_OFFER = query('applications-on-offer', (db: Tables) =>
  db.selectFrom('vmApplication').select(APPLICATION_COLUMNS).where('retiredAt', 'is', null).orderBy('id'),
);

/** The available applications, oldest first. */
export function listApplications(database: Database): Promise<VmApplication[]> {
  return database.run(APPLICATIONS_ON_OFFER, {});
}

const RETIRED_APPLICATIONS = query('retired-applications', (db: Tables) =>
  db.selectFrom('vmApplication').select(APPLICATION_COLUMNS).where('retiredAt', 'is not', null).orderBy('id'),
);

/** The retired applications, oldest first. */
export function listRetiredApplications(database: Database): Promise<VmApplication[]> {
  return database.run(RETIRED_APPLICATIONS, {});
}

const ADD = query(
  'add-application',
  (db: Tables, { name, slug, description, logoUrl, userData, probePort, probePath }: ApplicationSpec) =>
    db
      .insertInto('vmApplication')
      .values({ name, slug, description, logoUrl, userData, probePort, probePath })
      .returning(APPLICATION_COLUMNS),
);
const CHANGE = query(
  'change-application',
  (
    db: Tables,
    { id, name, slug, description, logoUrl, userData, probePort, probePath }: ApplicationSpec & { id: number },
  ) =>
    db
      .updateTable('vmApplication')
      .set({ name, slug, description, logoUrl, userData, probePort, probePath, retiredAt: null })
      .where('id', '=', id)
      .returning(APPLICATION_COLUMNS),
);
const RETIRE = query('retire-application', (db: Tables, value: { id: number; now: Date }) =>
  db
    .updateTable('vmApplication')
    .set({ retiredAt: sql<Date>`coalesce(retired_at, ${value.now})` })
    .where('id', '=', value.id)
    .returning(APPLICATION_COLUMNS),
);

/** Adds an application, or changes one and makes it available again. @throws NOT_FOUND, CONFLICT for name and slug */
export function saveApplication(
  database: Database,
  id: number | undefined,
  spec: ApplicationSpec,
): Promise<VmApplication> {
  const work = database.change(async (transaction) => {
    const [application] = await (id === undefined
      ? transaction.run(ADD, spec)
      : transaction.run(CHANGE, { ...spec, id }));
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
    const [application] = await transaction.run(RETIRE, { id, now });
    if (!application) throw notFound('There is no such application.');
    return application;
  });
}
