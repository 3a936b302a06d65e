import type { Data } from '../execution.js';
import type { Outline } from '../supergraph/supergraph.js';

/** Whether an object has a type, by its `__typename`. */
export type IsOfType = (object: Data, isDefault?: boolean) => boolean;

/** Returns the test of a type condition in the supergraph, where a type can be hidden from clients. */
export function typeCondition({ subtypes }: Outline, condition: string): IsOfType {
  const types = subtypes.get(condition);
  return ({ __typename }, isDefault = false) =>
    typeof __typename === 'string' ? __typename === condition || (types?.has(__typename) ?? false) : isDefault;
}
