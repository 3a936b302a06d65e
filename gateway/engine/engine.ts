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
import { withAliases, withoutClashes } from './aliases.js';

/** Who an operation is executed for. */
export interface RequestContext {
  readonly viewer: Viewer;
  readonly requestId: string;
  /** The client's network address. */
  readonly clientAddress?: string;
  readonly isBillingBypassed?: boolean;
}

/** An operation, validated and planned: made once, executed any number of times. */
export interface PlannedOperation {
  /** Undefined where it asks of the schema only, which no subgraph is needed for. */
  readonly plan: QueryPlan | undefined;
  readonly context: OperationContext;
  /** Whether answers still have to get their aliases back. */
  readonly isRenamed: boolean;
}

export type Variables = Readonly<Record<string, unknown>>;

/** Plans and executes operations of the composed API over its subgraphs, however each is reached. */
export class Engine {
  readonly schema: GraphQLSchema;
  private readonly apiSchema: Schema;
  private readonly supergraphSchema: GraphQLSchema;
  private readonly planner: QueryPlanner;

  constructor(
    supergraph: Supergraph,
    private readonly sources: ReadonlyMap<string, SubgraphClient>,
    scalars: readonly GraphQLScalarType[] = [],
  ) {
    this.apiSchema = supergraph.apiSchema();
    this.schema = this.apiSchema.toGraphQLJSSchema();
    for (const scalar of scalars) teach(this.schema, scalar);
    this.supergraphSchema = supergraph.schema.toGraphQLJSSchema();
    this.planner = new QueryPlanner(supergraph);
  }

  /** Plans a valid document. @throws GraphQLError when it names no or several operations */
  plan(given: DocumentNode, operationName?: string): PlannedOperation {
    const renamed = withoutClashes(this.schema, given);
    const document = renamed ?? given;
    const isRenamed = renamed !== undefined;
    const options = operationName === undefined ? {} : { operationName };
    const context = buildOperationContext({ schema: this.schema, operationDocument: document, ...options });
    if (asksOfSchemaOnly(context)) return { plan: undefined, context, isRenamed: false };
    const operation = operationFromDocument(this.apiSchema, document, options);
    return { plan: this.planner.buildQueryPlan(operation), context, isRenamed };
  }

  /** Executes a query or mutation. Faults come back as `errors`, never thrown. */
  async execute(
    operation: PlannedOperation,
    variables: Variables,
    requestContext: RequestContext,
  ): Promise<ExecutionResult> {
    const { plan, context } = operation;
    const faults = this.checkVariables(operation, variables);
    if (faults) return { errors: faults };
    if (!plan) return execute({ schema: this.schema, document: documentOf(context), variableValues: variables });
    return this.run(operation, plan, withDigits(variables) as Variables, { requestContext });
  }

  /** Executes a subscription: each event of the owning subgraph, completed by the rest of the plan. Faults come as `errors`. */
  async *subscribe(
    operation: PlannedOperation,
    variables: Variables,
    requestContext: RequestContext,
    signal: AbortSignal,
  ): AsyncGenerator<ExecutionResult> {
    const node = operation.plan?.node;
    if (node?.kind !== 'Subscription') throw badRequest('This is not a subscription.');
    const faults = this.checkVariables(operation, variables);
    if (faults) {
      yield { errors: faults };
      return;
    }
    const { primary, rest } = node;
    const source = this.sourceOf(primary.serviceName);
    const nodes: PlanNode[] = rest ? [primary, rest] : [primary];
    const perEvent: QueryPlan = { kind: 'QueryPlan', node: { kind: 'Sequence', nodes } };
    const used = Object.fromEntries((primary.variableUsages ?? []).map((name) => [name, withDigits(variables[name])]));
    try {
      const events = await source.subscribe({ query: primary.operation, variables: used, ...requestContext }, signal);
      for await (const event of events) {
        const given = { query: primary.operation, result: event };
        yield await this.run(operation, perEvent, withDigits(variables) as Variables, { requestContext, given });
      }
    } catch (error) {
      if (!signal.aborted) yield { errors: [asGraphQLError(error)] };
    }
  }

  private checkVariables({ context }: PlannedOperation, variables: Variables): readonly GraphQLError[] | undefined {
    const fault = jsonFault(variables);
    if (fault !== undefined) return [badRequest(fault)];
    const { errors } = getVariableValues(this.schema, context.operation.variableDefinitions ?? [], variables);
    return errors?.map((error) => badRequest(plainMessage(error)));
  }

  private async run(
    { context, isRenamed }: PlannedOperation,
    plan: QueryPlan,
    variables: Variables,
    call: PlannedCall,
  ): Promise<ExecutionResult> {
    const services: ServiceMap = {};
    for (const name of this.sources.keys())
      services[name] = { process: ({ request }) => this.fetch(name, request, call) };
    const request = { request: { variables }, context: {}, metrics: {}, schema: this.schema, logger: console };
    const { supergraphSchema, apiSchema } = this;
    const result = await executeQueryPlan(plan, services, request as never, context, supergraphSchema, apiSchema);
    return isRenamed ? withAliases(result as ExecutionResult) : (result as ExecutionResult);
  }

  private async fetch(
    name: string,
    request: { query?: string; variables?: Variables },
    { requestContext, given }: PlannedCall,
  ): Promise<never> {
    const query = request.query ?? '';
    if (given?.query === query) return given.result as never;
    return (await this.sourceOf(name).execute({
      query,
      variables: request.variables ?? {},
      ...requestContext,
    })) as never;
  }

  private sourceOf(name: string): SubgraphClient {
    const source = this.sources.get(name);
    if (!source) throw new Error(`the supergraph names a subgraph that is not reached: ${name}`);
    return source;
  }
}

/** The planner's own idea of introspection is older than graphql-js's and refuses, for one, `isOneOf`. */
function asksOfSchemaOnly({ operation, fragments }: OperationContext): boolean {
  const asks = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value.startsWith('__');
      if (selection.kind === Kind.INLINE_FRAGMENT) return asks(selection.selectionSet);
      const fragment = fragments[selection.name.value];
      return fragment !== undefined && asks(fragment.selectionSet);
    });
  return asks(operation.selectionSet);
}

function documentOf({ operation, fragments }: OperationContext): DocumentNode {
  return { kind: Kind.DOCUMENT, definitions: [operation, ...Object.values(fragments)] };
}

/** graphql-js puts the rule that was broken behind the value that broke it; the rule alone is the clearer sentence. */
function plainMessage({ message, originalError }: GraphQLError): string {
  return originalError ? originalError.message : message;
}

function asGraphQLError(error: unknown): GraphQLError {
  return error instanceof GraphQLError ? error : new GraphQLError(String(error));
}

/** One execution; `given` is the fetch whose result is at hand: the event of a subscription. */
interface PlannedCall {
  readonly requestContext: RequestContext;
  readonly given?: { readonly query: string; readonly result: SubgraphResult };
}

/** Lets the composed schema read a scalar as its subgraphs do, so that a wrong value is a fault of the document. */
function teach(schema: GraphQLSchema, { name, parseValue, parseLiteral }: GraphQLScalarType): void {
  const composed = schema.getType(name);
  if (isScalarType(composed)) Object.assign(composed, { parseValue, parseLiteral });
}

/** Reads a composed supergraph. @throws when it is none */
export function readSupergraph(sdl: string): Supergraph {
  return Supergraph.build(sdl, { validateSupergraph: false });
}
