import {
  buildASTSchema,
  concatAST,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import type { FieldFacts, SubgraphFacts, TypeFacts } from './facts.js';

/** A field as one subgraph resolves it. */
interface Resolution {
  readonly subgraph: SubgraphFacts;
  readonly field: FieldFacts;
}

/** All subgraphs together: who resolves a field, and what its value may be. */
export class MergedFacts {
  /** The executable schema of each subgraph. */
  readonly schemas: ReadonlyMap<string, GraphQLSchema>;
  private readonly keyFields = new Set<string>();
  /**
   * Fields that others require. Test data never fails them: the client did not select them, so the error would have no path.
   */
  private readonly required = new Set<string>();
  private readonly optional = new Map<string, boolean>();
  private readonly possible = new Map<string, readonly string[]>();
  private readonly resolutionsOf = new Map<string, readonly Resolution[]>();

  /** @param supergraph the composed schema, with the types that clients do not see */
  constructor(
    readonly subgraphs: readonly SubgraphFacts[],
    readonly supergraph: GraphQLSchema,
  ) {
    this.schemas = new Map(subgraphs.map((subgraph) => [subgraph.name, executableSchema(subgraph)]));
    for (const [name, facts] of subgraphs.flatMap(({ types }) => [...types])) {
      for (const { fields } of facts.keys) this.markKey(name, fields);
      for (const { requires } of facts.fields.values()) if (requires) this.markRequired(name, requires);
    }
  }

  /** Returns the facts of a type in a subgraph, which may know it as an interface object only. */
  typeIn(subgraph: SubgraphFacts, typeName: string): TypeFacts | undefined {
    return subgraph.types.get(typeName) ?? this.interfaceObjectIn(subgraph, typeName);
  }

  isKey(typeName: string, field: string): boolean {
    return this.keyFields.has(`${typeName}.${field}`);
  }

  isRequired(typeName: string, field: string): boolean {
    return this.required.has(`${typeName}.${field}`);
  }

  /** Returns the subgraphs that resolve the field. */
  resolutions(typeName: string, field: string): readonly Resolution[] {
    const name = `${typeName}.${field}`;
    return memoized(this.resolutionsOf, name, () => {
      const all = this.subgraphs.flatMap((subgraph) => {
        const facts = this.typeIn(subgraph, typeName)?.fields.get(field);
        return facts && !facts.isExternal ? [{ subgraph, field: facts }] : [];
      });
      const overridden = new Set(all.map((resolution) => resolution.field.overrides));
      return all.filter(({ subgraph }) => !overridden.has(subgraph.name));
    });
  }

  /** Returns the object types that every subgraph of the field knows as its value. */
  possibleTypes(typeName: string, field: string): readonly string[] {
    const name = `${typeName}.${field}`;
    return memoized(this.possible, name, () => {
      const lists = this.resolutions(typeName, field).map(({ subgraph, field: facts }) =>
        this.possibleIn(subgraph, facts.typeName),
      );
      return lists.reduce((one, other) => one.filter((type) => other.includes(type)));
    });
  }

  /**
   * Whether the subgraph may not know an entity of this type. True only if the result is unambiguous: the other subgraphs
   * reach it by the only key, nothing returns the entity from here, and each of its fields comes from here only.
   */
  isOptional(subgraph: SubgraphFacts, typeName: string): boolean {
    const name = `${subgraph.name}.${typeName}`;
    return memoized(this.optional, name, () => this.decideOptional(subgraph, typeName));
  }

  private decideOptional(subgraph: SubgraphFacts, typeName: string): boolean {
    const facts = subgraph.types.get(typeName);
    if (!facts || facts.keys.length !== 1 || this.isOfInterfaceObject(typeName)) return false;
    const everywhere = this.subgraphs.flatMap(({ types }) => types.get(typeName) ?? []);
    if (new Set(everywhere.flatMap(({ keys }) => keys.map(({ fields }) => JSON.stringify(fields)))).size !== 1)
      return false;
    const isReturned = [...subgraph.types.values()].some(({ fields }) =>
      [...fields.values()].some((field) => this.possibleIn(subgraph, field.typeName).includes(typeName)),
    );
    return !isReturned && [...facts.fields.keys()].every((field) => this.isKeyOrInOneSubgraph(typeName, field));
  }

  private isOfInterfaceObject(typeName: string): boolean {
    return this.subgraphs.some((subgraph) => this.interfaceObjectIn(subgraph, typeName));
  }

  private isKeyOrInOneSubgraph(typeName: string, field: string): boolean {
    if (this.isKey(typeName, field)) return true;
    if (this.isRequired(typeName, field)) return false;
    return this.subgraphs.filter((subgraph) => this.typeIn(subgraph, typeName)?.fields.has(field)).length === 1;
  }

  private possibleIn(subgraph: SubgraphFacts, typeName: string): readonly string[] {
    if (subgraph.types.get(typeName)?.isInterfaceObject) return this.possibleNames(this.supergraph, typeName);
    const schema = this.schemas.get(subgraph.name);
    return schema ? this.possibleNames(schema, typeName) : [];
  }

  private possibleNames(schema: GraphQLSchema, typeName: string): string[] {
    const type = schema.getType(typeName);
    if (isObjectType(type)) return [typeName];
    return isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => name) : [];
  }

  private interfaceObjectIn(subgraph: SubgraphFacts, typeName: string): TypeFacts | undefined {
    const type = this.supergraph.getType(typeName);
    const interfaces = isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : [];
    for (const { name } of interfaces) {
      const facts = subgraph.types.get(name);
      if (facts?.isInterfaceObject) return facts;
    }
    return undefined;
  }

  private markKey(typeName: string, { selections }: SelectionSetNode): void {
    for (const selection of selections)
      if (selection.kind === Kind.FIELD)
        for (const name of [typeName, ...this.possibleNames(this.supergraph, typeName)])
          this.keyFields.add(`${name}.${selection.name.value}`);
  }

  private markRequired(typeName: string, { selections }: SelectionSetNode): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        this.markRequired(selection.typeCondition?.name.value ?? typeName, selection.selectionSet);
        continue;
      }
      for (const name of new Set([typeName, ...this.possibleNames(this.supergraph, typeName)])) {
        this.required.add(`${name}.${selection.name.value}`);
        const child = this.childType(name, selection.name.value);
        if (child !== undefined && selection.selectionSet) this.markRequired(child, selection.selectionSet);
      }
    }
  }

  private childType(typeName: string, field: string): string | undefined {
    for (const subgraph of this.subgraphs) {
      const facts = this.typeIn(subgraph, typeName)?.fields.get(field);
      if (facts) return facts.typeName;
    }
    return undefined;
  }
}

/** Returns the value of the key, computed at the first call. */
function memoized<Value>(values: Map<string, Value>, key: string, compute: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = compute();
  values.set(key, value);
  return value;
}

const ENTITIES = parse(`
  scalar _Any
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }
`);

function executableSchema({ document, types }: SubgraphFacts): GraphQLSchema {
  const objects = new Set(
    document.definitions.flatMap((node) => (node.kind === Kind.OBJECT_TYPE_DEFINITION ? [node.name.value] : [])),
  );
  const entities = [...types].flatMap(([name, { keys }]) => (keys.length > 0 && objects.has(name) ? [name] : []));
  const query = objects.has('Query') ? [] : [parse('type Query { _empty: Boolean }')];
  const documents = entities.length > 0 ? [ENTITIES, parse(`union _Entity = ${entities.join(' | ')}`)] : [];
  return buildASTSchema(concatAST([document, ...query, ...documents]), { assumeValid: true });
}
