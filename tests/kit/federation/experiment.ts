import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import {
  buildASTSchema,
  isListType,
  isNonNullType,
  Kind,
  parse,
  printSchema,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLOutputType,
  type GraphQLSchema,
  type TypeNode,
} from 'graphql';
import { Engine } from '../../../gateway/engine/engine.js';
import type { PlannedOperation } from '../../../gateway/engine/planned-operation.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { internal } from '../../../kernel/errors.js';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import { differenceOf, errorText } from './difference.js';
import { executeAlone, WorldSubgraph, type Request, type SentRequest } from './executors.js';
import { readFacts, type SubgraphSdl } from './facts.js';
import { MergedFacts } from './merged-facts.js';
import { differenceOfParts, mergeParts } from './parts.js';
import { World, type Chaos } from './random/world.js';

/** A result of the engine that is not the result of one server. */
export interface Difference {
  readonly reason: string;
  readonly federated: ExecutionResult;
  readonly alone: ExecutionResult;
  /** What the engine asked of the subgraphs. */
  readonly requests: readonly SentRequest[];
}

const CONTEXT = { viewer: ANONYMOUS, requestId: 'difference' } as const;

/** One supergraph: executes operations with the engine and as one server, over the same data. */
export class Experiment {
  /** What clients see. */
  readonly schema: GraphQLSchema;
  private readonly alone: GraphQLSchema;
  /** The same schema, where each field may be null. Its execution finds every error. */
  private readonly loose: GraphQLSchema;
  private readonly facts: MergedFacts;
  private readonly subgraphs: readonly WorldSubgraph[];
  private readonly engine: Engine;
  /** A document has one operation that is executed. */
  private readonly planned = new WeakMap<DocumentNode, PlannedOperation>();

  /** Composes the subgraphs. @returns undefined when they do not fit together */
  static of(sources: readonly SubgraphSdl[]): Experiment | undefined {
    const services = sources.map(({ name, sdl }) => ({ name, url: `http://${name}`, typeDefs: parse(sdl) }));
    const { supergraphSdl } = composeServices(services);
    return supergraphSdl === undefined ? undefined : new Experiment(sources, supergraphSdl);
  }

  private constructor(sources: readonly SubgraphSdl[], supergraphSdl: string) {
    const supergraph = readSupergraph(supergraphSdl);
    const composed = Supergraph.build(supergraphSdl);
    this.facts = new MergedFacts(sources.map(readFacts), composed.schema.toGraphQLJSSchema());
    this.subgraphs = this.facts.subgraphs.map(
      (subgraph, index) => new WorldSubgraph(this.facts, subgraph, index % 2 === 0),
    );
    this.engine = new Engine(supergraph, new Map(this.subgraphs.map((client) => [client.dependency, client])));
    this.schema = this.engine.schema;
    const document = parse(printSchema(composed.apiSchema().toGraphQLJSSchema()), { noLocation: true });
    this.alone = buildASTSchema(document, { assumeValid: true });
    const looseDocument = visit(document, { FieldDefinition: (node) => ({ ...node, type: looseType(node.type) }) });
    this.loose = buildASTSchema(looseDocument, { assumeValid: true });
  }

  /** Returns how the results differ; undefined: they are equal. The seed decides the data. */
  async run(request: Request, seed: string, chaos: Chaos): Promise<Difference | undefined> {
    const world = () => new World(this.facts, seed, chaos);
    const [here, there] = [world(), world()];
    const alone = await executeAlone(this.alone, request, here);
    const federated = await this.federate(request, there);
    const possible = async () => this.possibleErrors(request, world());
    const reason = await differenceOf(federated, alone, possible);
    const requests = this.subgraphs.flatMap(({ requests: texts }) => texts);
    if (reason !== undefined) return { reason, federated, alone, requests };
    // GraphQL (6.4.4) lets an executor stop the other mutations when the whole response is null.
    const isSameOrder = alone.data === null || here.mutations.join() === there.mutations.join();
    if (!isSameOrder) return { reason: 'order of mutations', federated, alone, requests };
    return this.runInParts(request, world(), { alone, possible });
  }

  /** Compares the parts of an answer, put together, with one server. */
  private async runInParts(
    request: Request,
    world: World,
    { alone, possible }: { readonly alone: ExecutionResult; readonly possible: () => Promise<ReadonlySet<string>> },
  ): Promise<Difference | undefined> {
    const planned = this.prepare(request, world);
    if (!planned.hasDefer) return undefined;
    const parts = [];
    for await (const part of this.engine.executeInParts(planned, request.variables, CONTEXT)) parts.push(part);
    const merged = mergeParts(parts);
    const reason =
      differenceOfParts(merged, alone) ??
      (await differenceOf({ data: alone.data ?? null, errors: merged.errors }, alone, possible));
    const requests = this.subgraphs.flatMap(({ requests: texts }) => texts);
    const federated = { data: null, extensions: { parts } };
    return reason === undefined ? undefined : { reason: `in parts: ${reason}`, federated, alone, requests };
  }

  private async federate(request: Request, world: World): Promise<ExecutionResult> {
    return this.engine.execute(this.prepare(request, world), request.variables, CONTEXT);
  }

  private prepare({ document, operationName }: Request, world: World): PlannedOperation {
    for (const subgraph of this.subgraphs) {
      subgraph.world = world;
      subgraph.requests.length = 0;
    }
    const planned = this.planned.get(document) ?? this.engine.plan(document, operationName);
    this.planned.set(document, planned);
    return planned;
  }

  /** Returns every error that an execution in any order can find. */
  private async possibleErrors(request: Request, world: World): Promise<ReadonlySet<string>> {
    const result = new Set<string>();
    const { extensions } = internal();
    const { errors } = await executeAlone(this.loose, request, world, (path, value, { fieldName, parentType }) => {
      const type = this.alone.getType(parentType.name);
      const field = type && 'getFields' in type ? type.getFields()[fieldName] : undefined;
      if (!field || !('args' in field)) return;
      for (const place of violations(value, field.type, path)) result.add(errorText({ path: place, extensions }));
    });
    for (const error of errors ?? []) result.add(errorText(error));
    return result;
  }
}

function looseType(type: TypeNode): TypeNode {
  if (type.kind === Kind.NON_NULL_TYPE) return looseType(type.type);
  return type.kind === Kind.LIST_TYPE ? { ...type, type: looseType(type.type) } : type;
}

type Path = readonly (string | number)[];

/** Returns the places of null where the type does not allow it. */
function violations(value: unknown, type: GraphQLOutputType, path: Path): Path[] {
  if (isNonNullType(type)) return value === null ? [path] : violations(value, type.ofType, path);
  if (!isListType(type) || !Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) => violations(item, type.ofType, [...path, index]));
}
