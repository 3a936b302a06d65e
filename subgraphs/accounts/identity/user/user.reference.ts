import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { usersById } from './user.actions.js';
import { mayRead } from './user.rules.js';

/** The user with this id, read in a batch. The caller authorises. */
export const loadUser = batched(async ({ database }: Context, ids: readonly number[]) =>
  inOrder(ids, await usersById(database, ids), ({ id }) => id),
);

/** Resolves a user referenced by another subgraph; null if the viewer may not see it. */
export const userReference: ReferenceResolver = async ({ id }, context) => {
  if (typeof id !== 'number' || !mayRead(context.viewer, id)) return null;
  return (await loadUser(context, id)) ?? null;
};
