import { batched, inOrder } from '../../../../kernel/concurrency/batched.js';
import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import type { InfrastructureContext } from '../../services.js';
import { listBuckets } from './bucket.actions.js';

const findBucket = batched(async (context: InfrastructureContext, names: readonly string[]) => {
  if (context.viewer.kind !== 'user') return [];
  return inOrder(names, await listBuckets(context, context.viewer.userId), ({ name }) => name);
});

/** Resolves a bucket by key; null if it does not exist or belongs to another user. */
export const bucketReference: ReferenceResolver = async ({ name }, context) =>
  typeof name === 'string' ? ((await findBucket(context as InfrastructureContext, name)) ?? null) : null;
