import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { findUser } from './user.actions.js';
import { mayRead } from './user.rules.js';

/** A user that another subgraph named by id: null for those who may not know. */
export const userReference: ReferenceResolver = async ({ id }, { viewer, database }) => {
  if (typeof id !== 'number' || !mayRead(viewer, id)) return null;
  return (await findUser(database, id)) ?? null;
};
