import type { Schema } from '@apollo/federation-internals';
import type { QueryPlanInlineFragmentNode, QueryPlanSelectionNode } from '@apollo/query-planner';
import { TYPENAME, type Data } from './execution.js';
import { merge } from './merge.js';
import { typeCondition } from './type-conditions.js';

/** Reads the required fields of an object; undefined if one of them is missing. */
type Extract = (object: Data) => Data | undefined;

type Selections = readonly QueryPlanSelectionNode[];

/** Reads one selection of an object into the representation. Returns false if a field is missing. */
type Copy = (object: Data, representation: Data) => boolean;

/** Compiles the `requires` of a fetch. The result is undefined for an object that the subgraph cannot resolve. */
export function compileRepresentation(schema: Schema, requires: Selections): Extract {
  const extract = compileSelections(schema, requires);
  return (object) => {
    const representation = extract(object);
    return representation?.[TYPENAME] === undefined ? undefined : representation;
  };
}

function compileSelections(schema: Schema, selections: Selections): Extract {
  const copies = selections.map((selection) => compileSelection(schema, selection));
  return (object) => {
    const representation: Data = {};
    for (const copy of copies) if (!copy(object, representation)) return undefined;
    return representation;
  };
}

function compileSelection(schema: Schema, selection: QueryPlanSelectionNode): Copy {
  if (selection.kind === 'InlineFragment') return compileFragment(schema, selection);
  const key = selection.alias ?? selection.name;
  const extract = selection.selections && compileSelections(schema, selection.selections);
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    return extract && value !== null ? (extract(value as Data) ?? null) : value;
  };
  return (object, representation) => {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (value === undefined) return false;
    representation[key] = typeof value === 'object' ? read(value) : value;
    return true;
  };
}

function compileFragment(schema: Schema, { typeCondition: condition, selections }: QueryPlanInlineFragmentNode): Copy {
  const extract = compileSelections(schema, selections);
  const applies = condition === undefined ? () => true : typeCondition(schema, condition);
  return (object, representation) => {
    const found = applies(object) ? extract(object) : undefined;
    if (found) merge(representation, found);
    return true;
  };
}
