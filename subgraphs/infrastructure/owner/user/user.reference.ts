import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';

/** Resolves the user by key; null for anonymous viewers. Each field checks its own access. */
export const userReference: ReferenceResolver = ({ id }, { viewer }) =>
  viewer.kind !== 'anonymous' && typeof id === 'number' ? { id } : null;
