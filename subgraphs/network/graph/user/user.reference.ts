import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';

/** The user by key, null to nobody in particular; what may be seen of them is decided field by field. */
export const userReference: ReferenceResolver = ({ id }, { viewer }) =>
  viewer.kind !== 'anonymous' && typeof id === 'number' ? { id } : null;
