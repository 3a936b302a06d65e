import { isObjectType, isInterfaceType, isSubtype, isUnionType, type Schema } from '@apollo/federation-internals';
import type { Data } from '../execution.js';

/** Whether an object has a type, by its `__typename`. */
export type IsOfType = (object: Data, isDefault?: boolean) => boolean;

/** Returns the test of a type condition in the supergraph, where a type can be hidden from clients. */
export function typeCondition(schema: Schema, condition: string): IsOfType {
  const known = new Map<unknown, boolean>([[condition, true]]);
  const test = (typename: string): boolean => {
    const [wanted, type] = [schema.type(condition), schema.type(typename)];
    if (!wanted || !type) return false;
    const isOfType =
      (isInterfaceType(wanted) || isUnionType(wanted)) &&
      (isObjectType(type) || isInterfaceType(type)) &&
      isSubtype(wanted, type);
    known.set(typename, isOfType);
    return isOfType;
  };
  return ({ __typename }, isDefault = false) =>
    typeof __typename === 'string' ? (known.get(__typename) ?? test(__typename)) : isDefault;
}
