import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { usersById } from './user.actions.js';
import { mayRead } from './user.rules.js';

const findUser = batched(async ({ database }: Context, ids: readonly number[]) =>
  inOrder(ids, await usersById(database, ids), ({ id }) => id),
);

/** Resolves a user referenced by another subgraph; null if the viewer may not see it. */
export const userReference: ReferenceResolver = async ({ id }, context) => {
  if (typeof id !== 'number' || !mayRead(context.viewer, id)) return null;
  return (await findUser(context, id)) ?? null;
};
