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
  type InlineFragmentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Aliases } from './aliases.js';
import { isIncluded } from './conditions.js';
import { deferredId, type Deferral } from './deferral.js';
import { isIntrospection, type SelectedOperation } from './documents.js';
import type { Variables } from '../execution.js';
import { FieldCollector, PLACEHOLDER } from './fields.js';

/** Decides the conditions of an operation. */
interface Decisions {
  /** The coerced variables; only those of conditions are used. */
  readonly values: Variables;
  /** Undefined: the directive is ignored. */
  readonly deferral: Deferral | undefined;
}

/**
 * Rewrites the selections of an operation before planning, because the planner reorders fields in fragments and merges
 * conditions. Afterwards each field of an object occurs once, in the order of the response; `@skip`, `@include` and `@defer`
 * are decided; deferred fragments follow the fields of their object.
 */
export class Normalizer {
  private readonly collector: FieldCollector;
  private readonly isIncluded: (selection: SelectionNode) => boolean;
  private readonly isDeferred: (selection: SelectionNode) => boolean;
  private readonly deferral: Deferral | undefined;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly aliases: Aliases,
    private readonly fragments: SelectedOperation['fragments'],
    { values, deferral }: Decisions,
  ) {
    this.isIncluded = (selection) => isIncluded(selection, values);
    this.deferral = deferral;
    this.isDeferred = (selection) => deferral?.isDeferred(selection) ?? false;
    this.collector = new FieldCollector(schema, this.isDeferred, fragments, this.isIncluded);
  }

  /** Returns the fields and the deferred fragments of an object. */
  fields(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): SelectionNode[] {
    const { fields, deferred } = this.collector.collect(type, sets);
    return [
      ...fields.flatMap(({ nodes }): SelectionNode[] =>
        nodes.some(isIntrospection) ? [...nodes] : this.field(type, nodes),
      ),
      ...deferred.flatMap(({ selection, selectionSet }) => this.deferredOn([type], selection, selectionSet)),
    ];
  }

  /** Returns selections on an interface or a union. @param possible object types that the enclosing fragments allow */
  private selections(type: GraphQLCompositeType, possible: Types, set: SelectionSetNode): SelectionNode[] {
    return set.selections.filter(this.isIncluded).flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return this.field(type, [selection]);
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? this.fragments.get(selection.name.value) : selection;
      const condition = fragment?.typeCondition ? this.schema.getType(fragment.typeCondition.name.value) : type;
      if (!fragment || !isCompositeType(condition)) return [];
      const remaining = this.possible(condition).filter((one) => possible.includes(one));
      if (remaining.length === 0) return [];
      if (this.isDeferred(selection)) return this.deferredOn(remaining, selection, fragment.selectionSet);
      if (condition === type) return this.selections(type, possible, fragment.selectionSet);
      return this.fragment(condition, remaining, fragment.selectionSet);
    });
  }

  /** One fragment for each object type: in a deferred fragment on an interface or a union the planner loses types. */
  private deferredOn(types: Types, selection: SelectionNode, set: SelectionSetNode): InlineFragmentNode[] {
    return types.flatMap((type) =>
      this.fragment(type, [type], set).map((fragment) => this.deferral?.defer(selection, fragment) ?? fragment),
    );
  }

  private fragment(type: GraphQLCompositeType, possible: Types, set: SelectionSetNode): InlineFragmentNode[] {
    const selections = isObjectType(type) ? this.fields(type, [set]) : this.selections(type, possible, set);
    if (selections.length === 0) return [];
    const typeCondition = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type.name } } as const;
    return [{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet: withPlaceholder(selections) }];
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
    return withPlaceholder(selections);
  }

  private possible(type: GraphQLCompositeType): Types {
    return isAbstractType(type) ? this.schema.getPossibleTypes(type) : [type];
  }
}

/** Returns selections; at least one is not deferred. */
function withPlaceholder(selections: readonly SelectionNode[]): SelectionSetNode {
  const isAllDeferred = selections.every((selection) => deferredId(selection) !== undefined);
  return { kind: Kind.SELECTION_SET, selections: isAllDeferred ? [PLACEHOLDER, ...selections] : selections };
}

type Types = readonly GraphQLObjectType[];
