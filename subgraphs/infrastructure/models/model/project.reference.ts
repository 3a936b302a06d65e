import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { hasRole } from '../../../../kernel/security/viewer.js';
import { projectsByName } from './project.actions.js';

const findProject = batched(async ({ viewer, database }: Context, names: readonly string[]) => {
  const userId = viewer.kind === 'user' ? viewer.userId : null;
  const found = await projectsByName(database, { names, userId, isAdmin: hasRole(viewer, 'ADMIN') });
  return inOrder(names, found, ({ project }) => project);
});

/** Resolves a project by key for its owner and administrators; null for all others. */
export const modelProjectReference: ReferenceResolver = async ({ project }, context) =>
  typeof project === 'string' ? ((await findProject(context, project)) ?? null) : null;
