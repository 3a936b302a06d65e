import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { uuidOf } from '../../../../kernel/text.js';

/** Resolves a machine by key; null for viewers who are no users. Its fields find nothing of other users. */
export const vmInstanceReference: ReferenceResolver = ({ uuid }, { viewer }) => {
  const known = viewer.kind === 'user' && typeof uuid === 'string' ? uuidOf(uuid) : null;
  return known === null ? null : { uuid: known };
};
