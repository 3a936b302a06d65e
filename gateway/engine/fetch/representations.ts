import type { QueryPlanInlineFragmentNode, QueryPlanSelectionNode } from '@apollo/query-planner';
import { isJsonNumber } from '../../../kernel/scalars/exact-json.js';
import { TYPENAME, type Data } from '../execution.js';
import { merge, type Merging } from './merge.js';
import { requiredName } from '../supergraph/required-fields.js';
import type { Outline } from '../supergraph/supergraph.js';
import { typeCondition } from './type-conditions.js';

/** Reads the required fields of an object; undefined if one of them is missing. */
type Extract = (object: Data) => Data | undefined;

/** Required fields are of answers that are merged already. */
const NONE: Merging = { interfaces: new Set(), failedNulls: new Map() };

type Selections = readonly QueryPlanSelectionNode[];

/** Reads one selection of an object into the representation. Returns false if a field is missing. */
type Copy = (object: Data, representation: Data) => boolean;

/** How an object is sent to a subgraph. */
interface Representations {
  /** Returns undefined for an object that the subgraph cannot resolve. */
  readonly represent: Extract;
  /** Whether the fetch is for objects of this type. */
  readonly isNeeded: (object: Data) => boolean;
  /** Returns a value that only equal representations share. */
  readonly identify: (representation: Data) => unknown;
}

const always = () => true;

/** Compiles the `requires` of a fetch. */
export function compileRepresentation(outline: Outline, requires: Selections): Representations {
  const [first, ...others] = requires;
  const fragment = first?.kind === 'InlineFragment' && others.length === 0 ? first : undefined;
  const extract = fragment ? compileFragment(outline, fragment) : compileSelections(outline, requires);
  const represent: Extract = (object) => {
    const representation = extract(object);
    return representation?.[TYPENAME] === undefined ? undefined : representation;
  };
  const conditions = requires.map((one) =>
    one.kind === 'InlineFragment' && one.typeCondition !== undefined
      ? typeCondition(outline, one.typeCondition)
      : always,
  );
  const isNeeded = (object: Data) => conditions.some((applies) => applies(object, true));
  const key = fragment && onlyKey(outline, fragment);
  return {
    represent,
    isNeeded,
    identify: key === undefined ? textOf : (representation) => identityOf(representation[key]),
  };
}

/** Returns a value that only equal keys share. A fraction is equal to nothing else: it is sent again. */
function identityOf(key: unknown): unknown {
  return isJsonNumber(key) && /^-?\d+$/.test(key.rawJSON) ? BigInt(key.rawJSON) : key;
}

/** Returns the one field that tells representations apart; undefined if there are several. */
function onlyKey(
  outline: Outline,
  { typeCondition: name = '', selections }: QueryPlanInlineFragmentNode,
): string | undefined {
  const [key, ...others] = selections.filter((one) => one.kind !== 'Field' || one.name !== TYPENAME);
  const isOnly = outline.objectTypes.has(name) && others.length === 0 && key?.kind === 'Field' && !key.selections;
  return isOnly ? requiredName(key.alias ?? key.name) : undefined;
}

/** Returns a text that only equal representations share. */
function textOf(representation: Data): string {
  let key = '';
  for (const name of Object.keys(representation)) {
    const value = representation[name];
    if (typeof value === 'object') return JSON.stringify(representation);
    key += typeof value === 'string' ? `${name}"${value.length}"${value}` : `${name}=${JSON.stringify(value)}`;
  }
  return key;
}

function compileSelections(outline: Outline, selections: Selections): Extract {
  const copies = selections.map((selection) => compileSelection(outline, selection));
  return (object) => {
    const representation: Data = {};
    for (const copy of copies) if (!copy(object, representation)) return undefined;
    return representation;
  };
}

function compileSelection(outline: Outline, selection: QueryPlanSelectionNode): Copy {
  if (selection.kind === 'InlineFragment') {
    const extractFragment = compileFragment(outline, selection);
    return (object, representation) => {
      merge(representation, extractFragment(object) ?? {}, NONE);
      return true;
    };
  }
  const key = selection.alias ?? selection.name;
  const sentName = requiredName(key);
  const extract = selection.selections && compileSelections(outline, selection.selections);
  const read = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(read);
    return extract && value !== null ? (extract(value as Data) ?? null) : value;
  };
  return (object, representation) => {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (value === undefined) return false;
    representation[sentName] = typeof value === 'object' ? read(value) : value;
    return true;
  };
}

function compileFragment(outline: Outline, fragment: QueryPlanInlineFragmentNode): Extract {
  const extract = compileSelections(outline, fragment.selections);
  if (fragment.typeCondition === undefined) return extract;
  const applies = typeCondition(outline, fragment.typeCondition);
  return (object) => (applies(object) ? extract(object) : undefined);
}
