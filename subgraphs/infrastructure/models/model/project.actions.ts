import type { Database } from '../../../../kernel/database/database.js';
import { query } from '../../../../kernel/database/query.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
import type { Tables } from '../../entities.js';
import { PROJECT_COLUMNS, type ModelProject } from './project.js';

const SET_PROJECT = query('set-model-project', (db: Tables, { project, ownerId, isPublic }: ModelProject) =>
  db
    .insertInto('modelProject')
    .values({ project, ownerUserId: ownerId, isPublic })
    .onConflict((on) =>
      on.column('project').doUpdateSet((row) => ({
        ownerUserId: row.ref('excluded.ownerUserId'),
        isPublic: row.ref('excluded.isPublic'),
      })),
    )
    .returning(PROJECT_COLUMNS),
);

/** Sets owner and visibility of a project, which may have no models yet. */
export async function setProject(database: Database, project: ModelProject): Promise<ModelProject> {
  const [set] = await database.change((transaction) => transaction.run(SET_PROJECT, project));
  if (!set) throw new Error('an insert returned no row');
  return set;
}

const PROJECTS = query('model-projects', (db: Tables, value: { limit: number; offset: number }) =>
  db.selectFrom('modelProject').select(PROJECT_COLUMNS).orderBy('project').limit(value.limit).offset(value.offset),
);

/** Projects with a setting, ordered by name. All others have no owner and are public. */
export function listProjects(database: Database, page: PageRequest): Promise<ModelProject[]> {
  return database.run(PROJECTS, { limit: page.pageSize, offset: offsetOf(page) });
}
