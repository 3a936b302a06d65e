import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { findGroupOfViewer } from './viewer-groups.actions.js';

/** Resolves a group by key; null if it does not exist or belongs to another user. */
export const groupReference: ReferenceResolver = async ({ id }, context) =>
  typeof id === 'number' ? ((await findGroupOfViewer(context, id)) ?? null) : null;
