import { Kind, type DocumentNode, type SelectionSetNode } from 'graphql';
import { withoutUnusedExternals } from './external-fields.js';
import { coordinates, fieldsTypes, requiredBy, textOf, typesLike, type FieldsTypes } from './join.js';
import { requiredName } from './required-fields.js';
import { moveFields } from './virtual-subgraph.js';

/** A field with `@requires`, in one subgraph. */
interface Requirement {
  readonly type: string;
  readonly field: string;
  readonly graph: string;
  readonly required: SelectionSetNode;
}

/**
 * Moves fields with `@requires` to subgraphs that only the planner knows, where it would plan them wrong:
 * fields of a type that require one field with different arguments, because it sends an entity with one value of each
 * field; and fields that others require, because it asks one fetch for a field and for what the field requires.
 */
export function separateFields(document: DocumentNode): DocumentNode {
  const types = fieldsTypes(document);
  const requirements = requirementsIn(types);
  const chain = chainOf(types, requirements);
  const groups = compatible(requirements.filter((requirement) => !chain.required.has(requirement)));
  const apart = [
    ...groups.filter(([one], at) => one && (chain.types.has(one.type) || groups.slice(0, at).some(isOf(one)))),
    ...[...chain.required].map((requirement) => [requirement]),
  ];
  if (apart.length === 0) return document;
  const moved = apart.reduce((before, group, index) => {
    const [{ type, graph } = { type: '', graph: '' }] = group;
    const fields = new Set(group.map(({ field }) => field));
    return moveFields(before, { type, graph, fields, to: `${graph}_ARCHIPELAGO_${index}` });
  }, document);
  return withoutUnusedExternals(moved, new Set(apart.flat().map(({ graph }) => graph)));
}

/** Returns the fields with `@requires` that others require, and the types of both. */
function chainOf(types: FieldsTypes, requirements: readonly Requirement[]) {
  const requiredNames = new Map(requirements.map((one) => [one, coordinates(types, one.type, one.required)]));
  const allRequired = new Set([...requiredNames.values()].flat());
  const namesOf = ({ type, field }: Requirement) => typesLike(types, type).map(({ name }) => `${name.value}.${field}`);
  const required = new Set(requirements.filter((one) => namesOf(one).some((name) => allRequired.has(name))));
  const names = new Set([...required].flatMap(namesOf));
  const requiring = requirements.filter((one) => requiredNames.get(one)?.some((name) => names.has(name)));
  return { required, types: new Set([...required, ...requiring].map(({ type }) => type)) };
}

function requirementsIn(types: FieldsTypes): Requirement[] {
  return [...types.values()].flatMap((type) =>
    (type.fields ?? []).flatMap((field) =>
      (field.directives ?? []).flatMap((directive) => {
        const required = requiredBy(directive);
        const graph = textOf(directive, 'graph');
        return required && graph !== undefined
          ? [{ type: type.name.value, field: field.name.value, graph, required }]
          : [];
      }),
    ),
  );
}

/** Returns groups of fields of one type and subgraph that can be fetched together. */
function compatible(requirements: readonly Requirement[]): Requirement[][] {
  const groups: Requirement[][] = [];
  for (const requirement of requirements) {
    const group = groups
      .filter(isOf(requirement))
      .find((others) => !others.some(({ required }) => areInConflict(required, requirement.required)));
    if (group) group.push(requirement);
    else groups.push([requirement]);
  }
  return groups;
}

/** Whether a group is of the type and the subgraph of a field. */
function isOf({ type, graph }: Requirement): (group: readonly Requirement[]) => boolean {
  return ([one]) => one?.type === type && one.graph === graph;
}

/** Whether two selections need one field of the representation with different arguments. */
function areInConflict(one: SelectionSetNode, other: SelectionSetNode): boolean {
  const known = new Map(places(one));
  return places(other).some(([place, name]) => known.has(place) && known.get(place) !== name);
}

/** Returns the place of each field in the representation, and the name that the planner knows it by. */
function places({ selections }: SelectionSetNode, path = ''): [string, string][] {
  return selections.flatMap((selection): [string, string][] => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [];
    if (selection.kind === Kind.INLINE_FRAGMENT) return places(selection.selectionSet, path);
    const { name, selectionSet } = selection;
    const place = `${path}.${requiredName(name.value)}`;
    return [[place, name.value], ...(selectionSet ? places(selectionSet, place) : [])];
  });
}
