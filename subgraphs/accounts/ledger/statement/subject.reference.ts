import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { uuidOf } from '../../../../kernel/scalars/text.js';

/** Resolves a machine by key; null unless the viewer is a user. Its fields contain no transfers of other users. */
export const vmInstanceReference: ReferenceResolver = ({ uuid }, { viewer }) => {
  const known = viewer.kind === 'user' && typeof uuid === 'string' ? uuidOf(uuid) : null;
  return known === null ? null : { uuid: known };
};

/** Resolves a charge for storage by key; null unless the viewer is a user. Its fields contain no transfers of other users. */
export const storageChargeReference: ReferenceResolver = ({ id }, { viewer }) =>
  viewer.kind === 'user' && typeof id === 'string' ? { id } : null;
