import type { Database } from '../../../../kernel/database/database.js';
import { offsetOf, type PageRequest } from '../../../../kernel/paging.js';
import { PROJECT_COLUMNS, type ModelProject } from './project.js';

/** Sets owner and visibility of a project, which may have no models yet. */
export async function setProject(
  database: Database,
  { project, ownerId, isPublic }: ModelProject,
): Promise<ModelProject> {
  const [set] = await database.change((transaction) =>
    transaction.execute<ModelProject>(
      `INSERT INTO infrastructure.model_project (project, owner_user_id, is_public) VALUES ($1, $2, $3)
       ON CONFLICT (project) DO UPDATE SET owner_user_id = excluded.owner_user_id, is_public = excluded.is_public
       RETURNING ${PROJECT_COLUMNS}`,
      [project, ownerId, isPublic],
    ),
  );
  if (!set) throw new Error('an insert returned no row');
  return set;
}

const PROJECTS = {
  name: 'model-projects',
  text: `SELECT ${PROJECT_COLUMNS} FROM infrastructure.model_project ORDER BY project LIMIT $1 OFFSET $2`,
};

/** Projects with a setting, ordered by name. All others have no owner and are public. */
export function listProjects(database: Database, page: PageRequest): Promise<ModelProject[]> {
  return database.rows<ModelProject>(PROJECTS, [page.pageSize, offsetOf(page)]);
}
