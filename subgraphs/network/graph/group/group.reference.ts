import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { findGroupOfViewer } from './viewer-groups.actions.js';

/** Resolves a group by key; null for the groups of others, as for an unknown id. */
export const groupReference: ReferenceResolver = async ({ id }, context) =>
  typeof id === 'number' ? ((await findGroupOfViewer(context, id)) ?? null) : null;
