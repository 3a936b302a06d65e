import { operationFromDocument, Supergraph, type Schema } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import {
  getVariableValues,
  isScalarType,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLScalarType,
  type GraphQLSchema,
} from 'graphql';
import { badRequest } from '../../kernel/errors.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import { jsonFault, withDigits } from '../../kernel/text.js';
import { Aliases } from './aliases.js';
import { Completion } from './completion.js';
import { isIntrospectionOnly, plannableDocument, selectOperation, type SelectedOperation } from './documents.js';
import { compileEvents } from './events.js';
import type { Data, Execution, RequestContext, Variables } from './execution.js';
import type { StepContext } from './fetch.js';
import { PlannedOperation } from './planned-operation.js';
import { compileNode } from './steps.js';
import { thrownError } from './subgraph-errors.js';

/** Plans and executes operations of the supergraph over local and remote subgraphs. */
export class Engine {
  readonly schema: GraphQLSchema;
  private readonly apiSchema: Schema;
  private readonly planner: QueryPlanner;
  private readonly aliases: Aliases;
  private readonly steps: StepContext;

  constructor(
    supergraph: Supergraph,
    subgraphs: ReadonlyMap<string, SubgraphClient>,
    scalars: readonly GraphQLScalarType[] = [],
  ) {
    this.apiSchema = supergraph.apiSchema();
    this.schema = this.apiSchema.toGraphQLJSSchema();
    for (const scalar of scalars) addParsers(this.schema, scalar);
    this.aliases = new Aliases(supergraph.schema);
    this.steps = { schema: supergraph.schema, clientOf: (name) => clientOf(subgraphs, name) };
    this.planner = new QueryPlanner(supergraph);
  }

  /** Plans and compiles a valid document. @throws BAD_REQUEST when the document and the name do not select one operation */
  plan(document: DocumentNode, operationName?: string): PlannedOperation {
    const selected = selectOperation(this.aliases.rename(document), operationName);
    return new PlannedOperation(this.schema, selected, this.compilePlan(selected));
  }

  /** Executes a query or mutation. Failures are returned as `errors`, never thrown. */
  async execute(
    operation: PlannedOperation,
    variables: Variables,
    requestContext: RequestContext,
  ): Promise<ExecutionResult> {
    const execution = this.start(operation, variables, requestContext);
    if (!isStarted(execution)) return execution;
    await run(operation, execution);
    return resultOf(operation, execution);
  }

  /** Executes a subscription: takes events of the owning subgraph and executes the rest of the plan for each. Failures are yielded as `errors`. */
  async *subscribe(
    operation: PlannedOperation,
    variables: Variables,
    requestContext: RequestContext,
    signal: AbortSignal,
  ): AsyncGenerator<ExecutionResult> {
    if (!('events' in operation.plan)) throw badRequest('This is not a subscription.');
    const { open, receive, complete } = operation.plan.events;
    const execution = this.start(operation, variables, { ...requestContext, signal });
    if (!isStarted(execution)) {
      yield execution;
      return;
    }
    try {
      for await (const event of await open(execution, signal)) {
        const ofEvent = { ...execution, ...emptyState() };
        receive(ofEvent, event);
        await complete(ofEvent);
        yield resultOf(operation, ofEvent);
      }
    } catch (error) {
      if (!signal.aborted) yield { errors: [thrownError(error)] };
    }
  }

  private compilePlan(selected: SelectedOperation): PlannedOperation['plan'] {
    if (isIntrospectionOnly(selected)) return { run: compileNode(undefined, this.steps) };
    // graphql-js has validated the document. This validation refuses some variables that the specification allows.
    const options = { validate: false };
    const operation = operationFromDocument(this.apiSchema, plannableDocument(selected), options);
    const { node } = this.planner.buildQueryPlan(operation);
    return node?.kind === 'Subscription'
      ? { events: compileEvents(node, this.steps) }
      : { run: compileNode(node, this.steps) };
  }

  /** Checks the variables. Returns the state of the execution, or errors. */
  private start(
    { operation, defaults }: PlannedOperation,
    variables: Variables,
    requestContext: RequestContext,
  ): Execution | { readonly errors: readonly GraphQLError[] } {
    const problem = jsonFault(variables);
    if (problem !== undefined) return { errors: [badRequest(problem)] };
    const { errors, coerced } = getVariableValues(this.schema, operation.variableDefinitions ?? [], variables);
    if (errors) return { errors: errors.map((error) => badRequest(scalarMessage(error))) };
    return {
      ...emptyState(),
      requestContext,
      variables: withDigits({ ...defaults, ...variables }) as Variables,
      values: coerced,
    };
  }
}

function isStarted(execution: Execution | ExecutionResult): execution is Execution {
  return 'values' in execution;
}

function emptyState(): Pick<Execution, 'data' | 'errors' | 'incomplete'> {
  return { data: {}, errors: [], incomplete: new Set() };
}

async function run({ plan }: PlannedOperation, execution: Execution): Promise<void> {
  if (!('run' in plan)) throw badRequest('Subscriptions need a websocket.');
  await plan.run(execution);
}

/** Gives the merged data the shape of the response. Data without a value is null. */
function resultOf(operation: PlannedOperation, execution: Execution): ExecutionResult {
  const completion = new Completion(execution, () => operation.introspect(execution.variables));
  const data = (operation.project(execution.data, completion) ?? null) as Data | null;
  const errors = [...execution.errors, ...completion.errors];
  return errors.length > 0 ? { errors, data } : { data };
}

function clientOf(subgraphs: ReadonlyMap<string, SubgraphClient>, name: string): SubgraphClient {
  const client = subgraphs.get(name);
  if (!client) throw new Error(`the supergraph has a subgraph without a client: ${name}`);
  return client;
}

/** Returns the message of the scalar, without the value that graphql-js puts before it. */
function scalarMessage({ message, originalError }: GraphQLError): string {
  return originalError ? originalError.message : message;
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
