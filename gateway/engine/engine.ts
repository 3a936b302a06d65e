import { operationFromDocument, Supergraph, type Schema } from '@apollo/federation-internals';
import { executeQueryPlan, type ServiceMap } from '@apollo/gateway/dist/executeQueryPlan.js';
import { buildOperationContext, type OperationContext } from '@apollo/gateway/dist/operationContext.js';
import { QueryPlanner, type PlanNode, type QueryPlan } from '@apollo/query-planner';
import {
  execute,
  getVariableValues,
  GraphQLError,
  isScalarType,
  Kind,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLScalarType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { badRequest } from '../../kernel/errors.js';
import type { SubgraphResult, SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import { jsonFault, withDigits } from '../../kernel/text.js';
import type { Viewer } from '../../kernel/viewer.js';
import { restoreAliases, renameClashingAliases } from './aliases.js';

/** The viewer and the request of an operation. */
export interface RequestContext {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** The client's network address. */
  readonly clientAddress?: string;
  readonly isBillingBypassed?: boolean;
}

/** A validated and planned operation, which can be executed many times. */
export interface PlannedOperation {
  /** Undefined for pure introspection, which needs no subgraph. */
  readonly plan: QueryPlan | undefined;
  readonly context: OperationContext;
  /** Whether the aliases of results must be restored. */
  readonly isRenamed: boolean;
}

export type Variables = Readonly<Record<string, unknown>>;

/** Plans and executes operations of the supergraph over local and remote subgraphs. */
export class Engine {
  readonly schema: GraphQLSchema;
  private readonly apiSchema: Schema;
  private readonly supergraphSchema: GraphQLSchema;
  private readonly planner: QueryPlanner;

  constructor(
    supergraph: Supergraph,
    private readonly subgraphs: ReadonlyMap<string, SubgraphClient>,
    scalars: readonly GraphQLScalarType[] = [],
  ) {
    this.apiSchema = supergraph.apiSchema();
    this.schema = this.apiSchema.toGraphQLJSSchema();
    for (const scalar of scalars) addParsers(this.schema, scalar);
    this.supergraphSchema = supergraph.schema.toGraphQLJSSchema();
    this.planner = new QueryPlanner(supergraph);
  }

  /** Plans a valid document. @throws GraphQLError when the document and the name do not select one operation */
  plan(original: DocumentNode, operationName?: string): PlannedOperation {
    const renamed = renameClashingAliases(this.schema, original);
    const document = renamed ?? original;
    const isRenamed = renamed !== undefined;
    const options = operationName === undefined ? {} : { operationName };
    const context = buildOperationContext({ schema: this.schema, operationDocument: document, ...options });
    if (isIntrospectionOnly(context)) return { plan: undefined, context, isRenamed: false };
    const operation = operationFromDocument(this.apiSchema, document, options);
    return { plan: this.planner.buildQueryPlan(operation), context, isRenamed };
  }

  /** Executes a query or mutation. Failures are returned as `errors`, never thrown. */
  async execute(
    operation: PlannedOperation,
    variables: Variables,
    requestContext: RequestContext,
  ): Promise<ExecutionResult> {
    const { plan, context } = operation;
    const errors = this.findVariableErrors(operation, variables);
    if (errors) return { errors };
    if (!plan) return execute({ schema: this.schema, document: documentOf(context), variableValues: variables });
    return this.run(operation, plan, withDigits(variables) as Variables, { requestContext });
  }

  /** Executes a subscription: takes events of the owning subgraph and executes the rest of the plan for each. Failures are yielded as `errors`. */
  async *subscribe(
    operation: PlannedOperation,
    variables: Variables,
    requestContext: RequestContext,
    signal: AbortSignal,
  ): AsyncGenerator<ExecutionResult> {
    const node = operation.plan?.node;
    if (node?.kind !== 'Subscription') throw badRequest('This is not a subscription.');
    const errors = this.findVariableErrors(operation, variables);
    if (errors) {
      yield { errors };
      return;
    }
    const { primary, rest } = node;
    const subgraph = this.subgraphOf(primary.serviceName);
    const nodes: PlanNode[] = rest ? [primary, rest] : [primary];
    const eventPlan: QueryPlan = { kind: 'QueryPlan', node: { kind: 'Sequence', nodes } };
    const primaryVariables = Object.fromEntries(
      (primary.variableUsages ?? []).map((name) => [name, withDigits(variables[name])]),
    );
    try {
      const events = await subgraph.subscribe(
        { query: primary.operation, variables: primaryVariables, ...requestContext },
        signal,
      );
      for await (const event of events) {
        const prefetched = { query: primary.operation, result: event };
        yield await this.run(operation, eventPlan, withDigits(variables) as Variables, { requestContext, prefetched });
      }
    } catch (error) {
      if (!signal.aborted) yield { errors: [asGraphQLError(error)] };
    }
  }

  private findVariableErrors({ context }: PlannedOperation, variables: Variables): readonly GraphQLError[] | undefined {
    const problem = jsonFault(variables);
    if (problem !== undefined) return [badRequest(problem)];
    const { errors } = getVariableValues(this.schema, context.operation.variableDefinitions ?? [], variables);
    return errors?.map((error) => badRequest(scalarMessage(error)));
  }

  private async run(
    { context, isRenamed }: PlannedOperation,
    plan: QueryPlan,
    variables: Variables,
    execution: Execution,
  ): Promise<ExecutionResult> {
    const services: ServiceMap = {};
    for (const name of this.subgraphs.keys())
      services[name] = { process: ({ request }) => this.fetch(name, request, execution) };
    const request = { request: { variables }, context: {}, metrics: {}, schema: this.schema, logger: console };
    const { supergraphSchema, apiSchema } = this;
    const result = await executeQueryPlan(plan, services, request as never, context, supergraphSchema, apiSchema);
    return isRenamed ? restoreAliases(result as ExecutionResult) : (result as ExecutionResult);
  }

  private async fetch(
    name: string,
    request: { query?: string; variables?: Variables },
    { requestContext, prefetched }: Execution,
  ): Promise<never> {
    const query = request.query ?? '';
    if (prefetched?.query === query) return prefetched.result as never;
    return (await this.subgraphOf(name).execute({
      query,
      variables: request.variables ?? {},
      ...requestContext,
    })) as never;
  }

  private subgraphOf(name: string): SubgraphClient {
    const subgraph = this.subgraphs.get(name);
    if (!subgraph) throw new Error(`the supergraph has a subgraph without a client: ${name}`);
    return subgraph;
  }
}

/** Whether graphql-js must execute the operation. The planner refuses newer introspection fields such as `isOneOf`. */
function isIntrospectionOnly({ operation, fragments }: OperationContext): boolean {
  const isIntrospection = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value.startsWith('__');
      if (selection.kind === Kind.INLINE_FRAGMENT) return isIntrospection(selection.selectionSet);
      const fragment = fragments[selection.name.value];
      return fragment !== undefined && isIntrospection(fragment.selectionSet);
    });
  return isIntrospection(operation.selectionSet);
}

function documentOf({ operation, fragments }: OperationContext): DocumentNode {
  return { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(fragments)] };
}

/** Returns the message of the scalar, without the value that graphql-js puts before it. */
function scalarMessage({ message, originalError }: GraphQLError): string {
  return originalError ? originalError.message : message;
}

function asGraphQLError(error: unknown): GraphQLError {
  return error instanceof GraphQLError ? error : new GraphQLError(String(error));
}

/** One execution. `prefetched` is a fetch with a known result: the event of a subscription. */
interface Execution {
  readonly requestContext: RequestContext;
  readonly prefetched?: { readonly query: string; readonly result: SubgraphResult };
}

/** Adds the parsers of a scalar to the composed schema, so that a wrong value fails validation. */
function addParsers(schema: GraphQLSchema, { name, parseValue, parseLiteral }: GraphQLScalarType): void {
  const composed = schema.getType(name);
  if (isScalarType(composed)) Object.assign(composed, { parseValue, parseLiteral });
}

/** Parses a supergraph schema. @throws when it is invalid */
export function readSupergraph(sdl: string): Supergraph {
  return Supergraph.build(sdl, { validateSupergraph: false });
}
