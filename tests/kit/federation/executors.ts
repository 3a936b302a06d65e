import {
  execute,
  GraphQLError,
  Kind,
  parse,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { EntityBatches } from '../../../kernel/subgraph/remote/entity-batches.js';
import type { SubgraphClient, SubgraphRequest, SubgraphResult } from '../../../kernel/subgraph/subgraph-client.js';
import type { FieldFacts, SubgraphFacts } from './facts.js';
import type { MergedFacts } from './merged-facts.js';
import { canonical, entityOf, mapObjects, type Values, type WorldObject } from './random/values.js';
import type { World } from './random/world.js';

/** The operation of a client. */
export interface Request {
  readonly document: DocumentNode;
  readonly operationName: string;
  readonly variables: Values;
}

type Path = readonly (string | number)[];

/** Executes the operation on one schema without federation. @param onValue learns the value of each field */
export async function executeAlone(
  schema: GraphQLSchema,
  { document, operationName, variables }: Request,
  world: World,
  onValue?: (path: Path, value: unknown, info: GraphQLResolveInfo) => void,
): Promise<ExecutionResult> {
  return execute({
    schema,
    document,
    operationName,
    variableValues: variables,
    fieldResolver: (source: WorldObject | undefined, args: Values, _, info) => {
      const { fieldName, parentType } = info;
      const object = source ?? { typeName: parentType.name, id: parentType.name };
      const value = world.field(object, fieldName, args);
      onValue?.(pathOf(info.path), value, info);
      return value;
    },
    typeResolver: ({ typeName }: WorldObject) => typeName,
  });
}

function pathOf(path: GraphQLResolveInfo['path'] | undefined): Path {
  return path ? [...pathOf(path.prev), path.key] : [];
}

/** A request of the engine, and the answer of the subgraph. */
export interface SentRequest {
  readonly subgraph: string;
  readonly query: string;
  readonly variables: Values;
  readonly json: string;
}

/** A subgraph whose data is a world. It refuses what a planner may not ask of it. */
export class WorldSubgraph implements SubgraphClient {
  readonly dependency: string;
  /** The data of the next request. */
  world: World | undefined;
  /** The requests of the engine. */
  readonly requests: SentRequest[] = [];
  private readonly schema: GraphQLSchema;
  private readonly batches = new EntityBatches((request) => this.answer(request));
  /** The documents of the requests, with their problems. */
  private readonly documents = new Map<string, { document: DocumentNode; problems: readonly GraphQLError[] }>();

  constructor(
    private readonly facts: MergedFacts,
    private readonly subgraph: SubgraphFacts,
    /** Whether fetches are joined as for a subgraph over HTTP. */
    private readonly isRemote: boolean,
  ) {
    this.dependency = subgraph.name;
    const schema = facts.schemas.get(subgraph.name);
    if (!schema) throw new Error(`no schema of ${subgraph.name}`);
    this.schema = schema;
  }

  execute(request: SubgraphRequest): Promise<SubgraphResult> {
    return this.isRemote ? this.batches.execute(request) : this.answer(request);
  }

  private async answer({ query, variables }: SubgraphRequest): Promise<SubgraphResult> {
    const { document, problems } = this.read(query);
    const result =
      problems.length > 0
        ? { errors: problems }
        : await execute({
            schema: this.schema,
            document,
            variableValues: variables,
            fieldResolver: (source, args, _, info) => this.resolve(source, args, info),
            typeResolver: (object: WorldObject) => this.typeNameOf(object),
          });
    const json = JSON.stringify(result);
    this.requests.push({ subgraph: this.subgraph.name, query, variables, json });
    return JSON.parse(json) as SubgraphResult;
  }

  private read(query: string) {
    const known = this.documents.get(query);
    if (known) return known;
    const document = parse(query, { noLocation: true });
    const read = { document, problems: validate(this.schema, document) };
    this.documents.set(query, read);
    return read;
  }

  subscribe(): Promise<never> {
    throw new Error('there are no subscriptions');
  }

  open(): Promise<never> {
    throw new Error('there are no bytes');
  }

  async check(): Promise<readonly string[]> {
    return [];
  }

  async close(): Promise<void> {}

  private resolve(
    source: WorldObject | undefined,
    args: Values,
    { fieldName, parentType }: GraphQLResolveInfo,
  ): unknown {
    if (fieldName === '_entities') return this.entities(args['representations']);
    const object = source ?? { typeName: parentType.name, id: parentType.name };
    const field = this.subgraph.types.get(parentType.name)?.fields.get(fieldName);
    const world = this.world;
    if (!field || !world) throw new Error(`${parentType.name}.${fieldName} was not expected`);
    this.refuseForeign(object, fieldName, field);
    const provided = field.provides ?? selectionOf(object.provided, fieldName);
    const value = world.field(object, fieldName, args);
    return provided ? mapObjects(value, (child) => ({ ...child, provided })) : value;
  }

  /** Refuses a field that another subgraph resolves. @throws GraphQLError */
  private refuseForeign(object: WorldObject, name: string, field: FieldFacts): void {
    if (this.facts.isKey(object.typeName, name) || isSelected(object.provided, name)) return;
    const isOwn = this.facts.resolutions(object.typeName, name).some(({ subgraph }) => subgraph === this.subgraph);
    if (!object.id.startsWith('^') && !isOwn)
      throw new GraphQLError(`${this.subgraph.name} does not resolve ${object.typeName}.${name}`);
    const isProvided = field.requires?.selections.every(
      (node) => node.kind === Kind.FIELD && isSelected(object.provided, node.name.value),
    );
    if (isProvided === false && !object.given) throw new GraphQLError(`${name} needs a representation`);
  }

  private entities(representations: unknown): unknown[] {
    if (!Array.isArray(representations)) throw new Error('the representations are no list');
    return representations.map((representation: Values) => this.entity(representation));
  }

  private entity(representation: Values): WorldObject | null {
    const facts = this.subgraph.types.get(String(representation['__typename']));
    const world = this.world;
    for (const { fields, isResolvable } of facts?.keys ?? []) {
      const object = isResolvable ? entityOf(representation, fields) : undefined;
      if (!object || !world || !contains(representation, world.evaluate(object, fields))) continue;
      return world.knows(this.subgraph, object) ? object : null;
    }
    throw new GraphQLError(`not a key of ${this.subgraph.name}: ${canonical(representation)}`);
  }

  /** An interface object has the name of the interface here. */
  private typeNameOf({ typeName, given }: WorldObject): string {
    return this.subgraph.types.has(typeName) ? typeName : String(given?.['__typename']);
  }
}

/** Whether the representation has each of these values. */
function contains(representation: unknown, values: unknown): boolean {
  if (typeof values !== 'object' || values === null) return representation === values;
  if (typeof representation !== 'object' || representation === null) return false;
  const given = new Map(Object.entries(representation));
  return Object.entries(values).every(([name, value]) => contains(given.get(name), value));
}

function isSelected(set: SelectionSetNode | undefined, name: string): boolean {
  return set?.selections.some((node) => node.kind === Kind.FIELD && node.name.value === name) ?? false;
}

function selectionOf(set: SelectionSetNode | undefined, name: string): SelectionSetNode | undefined {
  for (const node of set?.selections ?? [])
    if (node.kind === Kind.FIELD && node.name.value === name) return node.selectionSet;
  return undefined;
}
