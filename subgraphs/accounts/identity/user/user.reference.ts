import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { findUser } from './user.actions.js';
import { mayRead } from './user.rules.js';

/** Resolves a user referenced by another subgraph; null if the viewer may not see it. */
export const userReference: ReferenceResolver = async ({ id }, { viewer, database }) => {
  if (typeof id !== 'number' || !mayRead(viewer, id)) return null;
  return (await findUser(database, id)) ?? null;
};
