import type { ReferenceResolver } from '../../../kernel/subgraph.js';
import { requireSignedIn } from '../../../kernel/viewer.js';

/** The user by key; what may be seen of them is decided field by field. */
export const userReference: ReferenceResolver = ({ id }, { viewer }) => {
  requireSignedIn(viewer);
  return typeof id === 'number' ? { id } : null;
};
