import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { anyOf, query } from '../../../../kernel/database/query.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging/paging.js';
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

const LOCK_OWNER = query('lock-owner-of-project', (db: Tables, value: { project: string }) =>
  db.selectFrom('modelProject').select('ownerUserId').where('project', '=', value.project).forUpdate(),
);

/** Sets owner and visibility of a project, which may have no models yet. */
export async function setProject(database: Database, project: ModelProject): Promise<ModelProject> {
  const { owned } = await database.change(async (transaction) => {
    const [before] = await transaction.run(LOCK_OWNER, { project: project.project });
    const [after] = await transaction.run(SET_PROJECT, project);
    // The audit log names the owner before and the one after.
    return { id: project.project, owned: after, userId: [before?.ownerUserId, project.ownerId] };
  });
  if (!owned) throw new Error('an insert returned no row');
  return owned;
}

const PROJECTS = query('model-projects', (db: Tables, value: { limit: number; offset: number }) =>
  db.selectFrom('modelProject').select(PROJECT_COLUMNS).orderBy('project').limit(value.limit).offset(value.offset),
);

/** Projects with a setting, ordered by name. All others have no owner and are public. */
export function listProjects(database: Database, page: PageRequest): Promise<ModelProject[]> {
  return database.run(PROJECTS, { limit: page.pageSize, offset: offsetOf(page) });
}

const PROJECTS_OF = query(
  'model-projects-of-user',
  (db: Tables, value: { userId: number; limit: number; offset: number }) =>
    db
      .selectFrom('modelProject')
      .select(PROJECT_COLUMNS)
      .where('ownerUserId', '=', value.userId)
      .orderBy('project')
      .limit(value.limit)
      .offset(value.offset),
);

/** The user's projects, ordered by name. */
export function listProjectsOf(database: Database, userId: number, page: PageRequest): Promise<ModelProject[]> {
  return database.run(PROJECTS_OF, { userId, limit: page.pageSize, offset: offsetOf(page) });
}

interface ProjectNames {
  readonly names: readonly string[];
  readonly userId: number | null;
  readonly isAdmin: boolean;
}

const PROJECTS_BY_NAME = query('model-projects-by-name', (db: Tables, value: ProjectNames) =>
  db
    .selectFrom('modelProject')
    .select(PROJECT_COLUMNS)
    .where('project', '=', anyOf(value.names))
    .where(sql<boolean>`(${value.isAdmin}::boolean OR owner_user_id = ${value.userId}::integer)`),
);

/** The projects with these names that the user owns, or all for an administrator; in any order. */
export function projectsByName(database: Database, keys: ProjectNames): Promise<ModelProject[]> {
  return database.run(PROJECTS_BY_NAME, keys);
}
