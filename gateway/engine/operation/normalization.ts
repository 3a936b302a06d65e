import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Aliases } from './aliases.js';
import { isIncluded } from './conditions.js';
import { isIntrospection, type SelectedOperation } from './documents.js';
import type { Variables } from '../execution.js';
import { FieldCollector, PLACEHOLDER } from './fields.js';

/**
 * Rewrites the selections of an operation for the planner, which changes the order of fields in fragments, and combines
 * conditions: each field of an object occurs once, in the order of the response, and conditions are decided.
 */
export class Normalizer {
  private readonly collector: FieldCollector;
  private readonly isIncluded: (selection: SelectionNode) => boolean;

  /** @param values the coerced variables; only those of conditions are used */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly aliases: Aliases,
    private readonly fragments: SelectedOperation['fragments'],
    values: Variables,
  ) {
    this.isIncluded = (selection) => isIncluded(selection, values);
    this.collector = new FieldCollector(schema, fragments, this.isIncluded);
  }

  /** Returns the fields of an object. */
  fields(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): FieldNode[] {
    return this.collector
      .collect(type, sets)
      .flatMap(({ nodes }) => (nodes.some(isIntrospection) ? nodes : this.field(type, nodes)));
  }

  /** Returns selections on an interface or a union. @param possible the types that the fragments around leave */
  private selections(type: GraphQLCompositeType, possible: Types, set: SelectionSetNode): SelectionNode[] {
    return set.selections.filter(this.isIncluded).flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return this.field(type, [selection]);
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection;
      const condition = fragment?.typeCondition ? this.schema.getType(fragment.typeCondition.name.value) : type;
      if (!fragment || !isCompositeType(condition)) return [];
      const remaining = this.possible(condition).filter((one) => possible.includes(one));
      if (remaining.length === 0) return [];
      if (condition === type) return this.selections(type, possible, fragment.selectionSet);
      return this.fragment(condition, remaining, fragment.selectionSet);
    });
  }

  private fragment(type: GraphQLCompositeType, possible: Types, set: SelectionSetNode): SelectionNode[] {
    const selections = isObjectType(type) ? this.fields(type, [set]) : this.selections(type, possible, set);
    if (selections.length === 0) return [];
    const typeCondition = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type.name } } as const;
    return [{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet: { kind: Kind.SELECTION_SET, selections } }];
  }

  private field(parent: GraphQLCompositeType, nodes: readonly FieldNode[]): FieldNode[] {
    return nodes.slice(0, 1).map((node) => {
      const { directives: _, selectionSet: _first, ...field } = this.aliases.rename(node);
      const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      const definition = 'getFields' in parent ? parent.getFields()[node.name.value] : undefined;
      const type: GraphQLNamedType | undefined = definition && getNamedType(definition.type);
      return isCompositeType(type) ? { ...field, selectionSet: this.set(type, sets) } : field;
    });
  }

  private set(type: GraphQLCompositeType, sets: readonly SelectionSetNode[]): SelectionSetNode {
    const selections = isObjectType(type)
      ? this.fields(type, sets)
      : sets.flatMap((set) => this.selections(type, this.possible(type), set));
    return { kind: Kind.SELECTION_SET, selections: selections.length > 0 ? selections : [PLACEHOLDER] };
  }

  private possible(type: GraphQLCompositeType): Types {
    return isAbstractType(type) ? this.schema.getPossibleTypes(type) : [type];
  }
}

type Types = readonly GraphQLObjectType[];
