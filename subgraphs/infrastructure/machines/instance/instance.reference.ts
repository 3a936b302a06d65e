import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';
import { instancesByUuid } from './instance.actions.js';

const findInstance = batched(async ({ viewer, database }: Context, uuids: readonly string[]) => {
  if (viewer.kind !== 'user') return [];
  return inOrder(uuids, await instancesByUuid(database, viewer.userId, uuids), ({ uuid }) => uuid);
});

/** Resolves a machine by key; null if it does not exist or belongs to another user. */
export const vmInstanceReference: ReferenceResolver = async ({ uuid }, context) => {
  const known = typeof uuid === 'string' ? uuidOf(uuid) : null;
  return known === null ? null : ((await findInstance(context, known)) ?? null);
};
