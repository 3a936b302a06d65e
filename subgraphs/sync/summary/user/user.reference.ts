import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';

/** The user by key, with the address that accounts told; whose folders may be seen is decided by the field. */
export const userReference: ReferenceResolver = ({ id, substrateAddress }, { viewer }) => {
  if (viewer.kind === 'anonymous' || typeof id !== 'number') return null;
  return { id, substrateAddress: typeof substrateAddress === 'string' ? substrateAddress : null };
};
