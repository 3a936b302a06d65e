import type { ReferenceResolver } from '../../../../kernel/subgraph/subgraph.js';
import { chargedDay } from '../../usage/usage.rules.js';

/** Resolves a charge for storage by key; null unless the viewer is a user. The key of another user gives its day and no folders. */
export const storageChargeReference: ReferenceResolver = ({ id }, { viewer }) => {
  const charged = viewer.kind === 'user' && typeof id === 'string' ? chargedDay(id) : undefined;
  return charged ? { id, day: charged.day } : null;
};
