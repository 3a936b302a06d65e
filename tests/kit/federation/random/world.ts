import {
  getArgumentValues,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from 'graphql';
import type { SubgraphFacts } from '../facts.js';
import type { MergedFacts } from '../merged-facts.js';
import { hash } from './random.js';
import { canonical, failure, keyLeaf, mapObjects, project, scalar, type Values, type WorldObject } from './values.js';

/** Chances in percent. */
export interface Chaos {
  readonly failures: number;
  readonly nulls: number;
  /** Null where the type does not allow it. */
  readonly violations: number;
}

const ENTITIES_OF_A_TYPE = 4;

/** Data that is decided by the seed, the object and the field only, so that the monolith and the subgraphs agree. */
export class World {
  /** The mutations in the order of their execution. Each result depends on the earlier ones. */
  readonly mutations: string[] = [];

  constructor(
    private readonly facts: MergedFacts,
    private readonly seed: string,
    private readonly chaos: Chaos,
  ) {}

  /** Returns the value of a field. @throws GraphQLError where the data has a failure */
  field(object: WorldObject, name: string, args: Values): unknown {
    const { type, definition } = this.definitionOf(object, name);
    if (object.id.startsWith('^')) return keyLeaf(definition.type, name, object.id.slice(1));
    if (this.facts.isKey(object.typeName, name)) return this.keyValue(object, definition);
    const key = `${object.id}.${name}${canonical(args)}${this.requirementOf(object, name)}${this.turnOf(type, name, args)}`;
    const isSafe = this.facts.isRequired(object.typeName, name);
    if (!this.isKnown(object, name)) return null;
    if (!isSafe && this.roll(`fail ${key}`) < this.chaos.failures) throw failure(key);
    return this.value(definition.type, { key, isSafe, possible: this.facts.possibleTypes(object.typeName, name) });
  }

  /** Returns the selected fields of an object, as a representation has them. */
  evaluate(object: WorldObject, { selections }: SelectionSetNode): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
      if (selection.kind === Kind.FIELD) {
        result[selection.name.value] = this.evaluateField(object, selection);
        continue;
      }
      const condition = selection.typeCondition?.name.value;
      if (condition === undefined || condition === object.typeName)
        Object.assign(result, this.evaluate(object, selection.selectionSet));
    }
    return result;
  }

  /** Returns whether the subgraph knows the entity. */
  knows(subgraph: SubgraphFacts, { typeName, id }: WorldObject): boolean {
    if (!this.facts.isOptional(subgraph, typeName)) return true;
    return this.roll(`knows ${subgraph.name} ${id}`) >= this.chaos.nulls;
  }

  private isKnown(object: WorldObject, field: string): boolean {
    const [only, ...others] = this.facts.resolutions(object.typeName, field);
    return !only || others.length > 0 || this.knows(only.subgraph, object);
  }

  private evaluateField(object: WorldObject, node: FieldNode): unknown {
    if (node.name.value === '__typename') return object.typeName;
    const { definition } = this.definitionOf(object, node.name.value);
    const value = this.field(object, node.name.value, getArgumentValues(definition, node));
    const set = node.selectionSet;
    return set ? mapObjects(value, (child) => this.evaluate(child, set)) : value;
  }

  /** Returns the value of the required fields: what the subgraph received, else the truth. */
  private requirementOf(object: WorldObject, name: string): string {
    for (const { field } of this.facts.resolutions(object.typeName, name))
      if (field.requires)
        return canonical(object.given ? project(object.given, field.requires) : this.evaluate(object, field.requires));
    return '';
  }

  /** Returns the earlier mutations when the field is one. */
  private turnOf(type: GraphQLObjectType, name: string, args: Values): string {
    if (type.name !== this.facts.supergraph.getMutationType()?.name) return '';
    const before = this.mutations.join();
    this.mutations.push(`${name}${canonical(args)}`);
    return before;
  }

  private keyValue({ typeName, id }: WorldObject, { name, type }: GraphQLField<unknown, unknown>): unknown {
    const named = isNonNullType(type) ? type.ofType : type;
    if (isObjectType(named)) return { typeName: named.name, id: `^${id}` };
    if (typeName === '') throw new Error('no type');
    return keyLeaf(type, name, id);
  }

  private value(type: GraphQLOutputType, context: ValueContext): unknown {
    const { key, isSafe } = context;
    if (isNonNullType(type)) {
      if (!isSafe && this.roll(`violate ${key}`) < this.chaos.violations) return null;
      return this.present(type.ofType, context);
    }
    return this.roll(`null ${key}`) < this.chaos.nulls ? null : this.present(type, context);
  }

  private present(type: GraphQLOutputType, context: ValueContext): unknown {
    const { key } = context;
    if (isListType(type))
      return Array.from({ length: this.roll(`length ${key}`) % 4 }, (_, i) =>
        this.element(type.ofType, { ...context, key: `${key}[${i}]` }),
      );
    if (isNonNullType(type)) return this.value(type, context);
    if (isCompositeType(type)) return this.object(context);
    const dice = hash(`${this.seed} leaf ${key}`);
    if (isEnumType(type)) return type.getValues()[dice % type.getValues().length]?.value;
    return scalar(type.name, dice);
  }

  private element(type: GraphQLOutputType, context: ValueContext): unknown {
    const isFailure = !context.isSafe && this.roll(`fail ${context.key}`) < this.chaos.failures;
    return isFailure ? failure(context.key) : this.value(type, context);
  }

  private object({ key, possible }: ValueContext): WorldObject | null {
    const dice = hash(`${this.seed} object ${key}`);
    const typeName = possible[dice % Math.max(possible.length, 1)];
    if (typeName === undefined) return null;
    const isEntity = this.facts.subgraphs.some(
      (subgraph) => (this.facts.typeIn(subgraph, typeName)?.keys.length ?? 0) > 0,
    );
    const id = isEntity ? `${typeName}:${(dice >>> 8) % ENTITIES_OF_A_TYPE}` : `${typeName}#${dice}`;
    return { typeName: typeName, id };
  }

  private definitionOf({ typeName }: WorldObject, name: string) {
    const type = this.facts.supergraph.getType(typeName);
    const definition = isObjectType(type) ? type.getFields()[name] : undefined;
    if (!isObjectType(type) || !definition) throw new Error(`there is no field ${typeName}.${name}`);
    return { type, definition };
  }

  /** Returns 0 to 99. */
  private roll(text: string): number {
    return hash(`${this.seed} ${text}`) % 100;
  }
}

interface ValueContext {
  readonly key: string;
  readonly isSafe: boolean;
  readonly possible: readonly string[];
}
