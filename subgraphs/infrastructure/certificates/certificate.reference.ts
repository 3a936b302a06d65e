import { batched, inOrder } from '../../../kernel/concurrency/batched.js';
import type { Context } from '../../../kernel/subgraph/context.js';
import type { ReferenceResolver } from '../../../kernel/subgraph/subgraph.js';
import { uuidOf } from '../../../kernel/scalars/text.js';
import { certificatesByReference } from './certificate.actions.js';

const findRecord = batched(async ({ viewer, database, now }: Context, references: readonly string[]) => {
  if (viewer.kind !== 'user') return [];
  const found = await certificatesByReference(database, { userId: viewer.userId, now: now(), references });
  return inOrder(references, found, ({ reference }) => reference);
});

/** Resolves the record of a certificate by key; null if it does not exist or belongs to another user. */
export const certificateRecordReference: ReferenceResolver = async ({ reference }, context) => {
  const known = typeof reference === 'string' ? uuidOf(reference) : null;
  return known === null ? null : ((await findRecord(context, known)) ?? null);
};
