import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';

/** The user by key, with the address from accounts; the fields decide what the viewer may see. */
export const userReference: ReferenceResolver = ({ id, substrateAddress }, { viewer }) => {
  if (viewer.kind === 'anonymous' || typeof id !== 'number') return null;
  return { id, substrateAddress: typeof substrateAddress === 'string' ? substrateAddress : null };
};
