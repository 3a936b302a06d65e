import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import type { Context } from '../../../../kernel/subgraph/context.js';
import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { foldersById } from './folder.actions.js';

/** The registered folder of the viewer with this id. */
export const findFolder = batched(async ({ viewer, database }: Context, ids: readonly string[]) => {
  if (viewer.kind !== 'user' || viewer.substrateAddress === null) return [];
  return inOrder(ids, await foldersById(database, viewer.substrateAddress, ids), ({ id }) => id);
});

/** Resolves a registered folder by key; null if it does not exist or belongs to another user. */
export const folderReference: ReferenceResolver = async ({ id }, context) =>
  typeof id === 'string' && /^\d{1,18}$/.test(id) ? ((await findFolder(context, id)) ?? null) : null;
