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
import { hasResult, type SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import { withDigits, withJsonNumbers, withRoundedNumbers } from '../../kernel/scalars/exact-json.js';
import { Decimal } from '../../kernel/scalars/scalars.js';
import { jsonFault } from '../../kernel/scalars/text.js';
import { OperationCompiler, type CompiledOperation } from './compiled-operation.js';
import { selectOperation } from './operation/documents.js';
import { refuseRounded, withExactNumbers } from './operation/literals.js';
import { deliver, resultOf, type InitialResult, type SubsequentResult } from './delivery.js';
import { emptyState, type Execution, type RequestContext, type Variables } from './execution.js';
import { setCosts } from './field-costs.js';
import { PlannedOperation, type PlanningHooks } from './planned-operation.js';
import { thrownError } from './fetch/subgraph-errors.js';
import type { Supergraph } from './supergraph/supergraph.js';

/** How a client listens to a subscription. */
export interface Listening {
  /** Ends the subscription. */
  readonly signal: AbortSignal;
  /** Runs around the execution of each event. */
  readonly around?: (execute: () => Promise<ExecutionResult>) => Promise<ExecutionResult>;
  /** As in `SubgraphRequest`. */
  readonly resumeFrom?: string | undefined;
}

/** An event of a subscription. */
export interface SubscriptionEvent {
  /** Undefined: the event only tells the state. */
  readonly result?: ExecutionResult;
  /** As in `SubgraphEvent`. */
  readonly state?: string | undefined;
}

/** Plans and executes operations of the supergraph over local and remote subgraphs. */
export class Engine {
  readonly schema: GraphQLSchema;
  private readonly compiler: OperationCompiler;
  private readonly hasDecimal: boolean;

  constructor(
    supergraph: Supergraph,
    subgraphs: ReadonlyMap<string, SubgraphClient>,
    scalars: readonly GraphQLScalarType[] = [],
  ) {
    this.schema = supergraph.schema;
    for (const scalar of scalars) addParsers(this.schema, scalar);
    this.hasDecimal = scalars.includes(Decimal);
    setCosts(this.schema, supergraph.outline.costs);
    this.compiler = new OperationCompiler({ supergraph, clientOf: (name) => clientOf(subgraphs, name) });
  }

  /** Plans and compiles a valid document. @throws BAD_REQUEST when the document and the name do not select one operation */
  plan(document: DocumentNode, operationName?: string, hooks?: PlanningHooks): PlannedOperation {
    const exact = this.hasDecimal ? withExactNumbers(document) : refuseRounded(document, this.schema);
    return new PlannedOperation(selectOperation(exact, operationName), this.compiler, hooks);
  }

  /** Executes a query or mutation. Failures are returned as `errors`, never thrown. */
  async execute(
    operation: PlannedOperation,
    variables: Variables,
    requestContext: RequestContext,
  ): Promise<ExecutionResult> {
    const execution = this.start(operation, variables, requestContext);
    if (!isStarted(execution)) return execution;
    const compiled = compile(operation, execution);
    if (!('plan' in compiled)) return compiled;
    await run(compiled, execution);
    return resultOf(compiled, execution);
  }

  /** Executes a query or mutation: the first result is without its deferred fragments, the others have them. */
  async *executeInParts(
    operation: PlannedOperation,
    variables: Variables,
    requestContext: RequestContext,
  ): AsyncGenerator<InitialResult | SubsequentResult> {
    const started = this.start(operation, variables, requestContext);
    const execution = isStarted(started) ? { ...started, deferred: new Map() } : started;
    const compiled = isStarted(execution) ? compile(operation, execution) : execution;
    if (!isStarted(execution) || !('plan' in compiled)) yield { ...(compiled as ExecutionResult), hasNext: false };
    else {
      await run(compiled, execution);
      yield* deliver(compiled, execution);
    }
  }

  /** Executes a subscription: takes events of the owning subgraph and executes the rest of the plan for each. Failures are yielded as `errors`. */
  async *subscribe(
    operation: PlannedOperation,
    variables: Variables,
    requestContext: RequestContext,
    { signal, around = (work) => work(), resumeFrom }: Listening,
  ): AsyncGenerator<SubscriptionEvent> {
    const execution = this.start(operation, variables, { ...requestContext, signal });
    if (!isStarted(execution)) {
      yield { result: execution };
      return;
    }
    const compiled = compile(operation, execution);
    if (!('plan' in compiled)) {
      yield { result: compiled };
      return;
    }
    if (!('events' in compiled.plan)) {
      yield { result: { errors: [badRequest('This is not a subscription, or it selects no field.')] } };
      return;
    }
    const { open, receive, complete } = compiled.plan.events;
    try {
      for await (const event of await open(execution, { signal, resumeFrom })) {
        if (!hasResult(event)) {
          yield { state: event.state };
          continue;
        }
        const result = await around(async () => {
          const ofEvent = { ...execution, ...emptyState() };
          receive(ofEvent, event);
          await complete(ofEvent);
          return resultOf(compiled, ofEvent);
        });
        yield { result, state: event.state };
      }
    } catch (error) {
      if (!signal.aborted) yield { result: { errors: [thrownError(error)] } };
    }
  }

  /** Checks the variables. Returns the state of the execution, or errors. */
  private start(
    { operation, defaults }: PlannedOperation,
    given: Variables,
    requestContext: RequestContext,
  ): Execution | { readonly errors: readonly GraphQLError[] } {
    const problem = jsonFault(given);
    if (problem !== undefined) return { errors: [badRequest(problem)] };
    // Without `Decimal` the scalars of the subgraphs are not known here: they get the numbers as they were sent.
    const [read, write] = this.hasDecimal ? [same, withDigits] : [withRoundedNumbers, withJsonNumbers];
    const definitions = operation.variableDefinitions ?? [];
    const options = { maxErrors: MAX_ERRORS };
    const { errors, coerced } = getVariableValues(this.schema, definitions, read(given) as Variables, options);
    if (errors) return { errors: errors.map((error) => badRequest(scalarMessage(error))) };
    return {
      ...emptyState(),
      requestContext,
      variables: write({ ...defaults, ...given }) as Variables,
      values: coerced,
    };
  }
}

/** Maximum errors of variables in an answer: a list can have one for each item. */
const MAX_ERRORS = 10;

const same = (value: unknown): unknown => value;

function isStarted(execution: Execution | ExecutionResult): execution is Execution {
  return 'values' in execution;
}

/** Returns the compiled operation, or the reason why there is none. */
function compile(
  operation: PlannedOperation,
  execution: Execution,
): CompiledOperation | { readonly errors: readonly GraphQLError[] } {
  try {
    return operation.compiledFor(execution);
  } catch (error) {
    return { errors: [thrownError(error)] };
  }
}

async function run({ plan }: CompiledOperation, execution: Execution): Promise<void> {
  if (!('run' in plan))
    throw badRequest('A subscription needs a websocket, or `Accept: text/event-stream` or `multipart/mixed`.');
  await plan.run(execution);
}

function clientOf(subgraphs: ReadonlyMap<string, SubgraphClient>, name: string): SubgraphClient {
  const client = subgraphs.get(name);
  if (!client) throw new Error(`the supergraph has a subgraph without a client: ${name}`);
  return client;
}

/** The end of what graphql-js puts before the message of a type: the value, and its place if it is inside the variable. */
const PLACE = / at "([\w.[\]]+)"; $/;

/** Returns the message of the type with the place inside the variable, but without the value. */
function scalarMessage({ message, originalError }: GraphQLError): string {
  if (!originalError) return message;
  const place = PLACE.exec(message.slice(0, -originalError.message.length))?.[1];
  return place === undefined ? originalError.message : `${place}: ${originalError.message}`;
}

/** Adds the parsers of a scalar to the composed schema, so that a wrong value fails validation. */
function addParsers(schema: GraphQLSchema, { name, parseValue, parseLiteral }: GraphQLScalarType): void {
  const composed = schema.getType(name);
  if (isScalarType(composed)) Object.assign(composed, { parseValue, parseLiteral });
}
