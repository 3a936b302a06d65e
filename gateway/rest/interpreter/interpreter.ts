import { GraphQLError, Kind, OperationTypeNode, separateOperations, type DocumentNode } from 'graphql';
import { setTimeout } from 'node:timers/promises';
import { badRequest, errorCode, internal } from '../../../kernel/errors.js';
import { isJsonObject } from '../../../kernel/scalars/exact-json.js';
import { isOwnerAddress } from '../../../kernel/scalars/text.js';
import { ownerRefusal } from '../../../kernel/security/viewer.js';
import type { Logger } from '../../../kernel/telemetry/log.js';
import type { Engine } from '../../engine/engine.js';
import type { RequestContext } from '../../engine/execution.js';
import type { PlannedOperation } from '../../engine/planned-operation.js';
import { publicErrors } from '../../engine/public-errors.js';
import { notModifiedAnswer, refusalAnswer, successAnswer, type Answer, type Dialect } from './answers.js';
import { compileProjection, type Projection } from './projection.js';
import { operationsOf, type RestRequest, type Route } from '../route.js';
import { readVariables, variableSpecs, type VariableSpec } from './variables.js';

interface ServedOperation {
  readonly variables: readonly VariableSpec[];
  /** Called once for each set of fields that a route leaves out. */
  readonly projection: (omitNull: readonly string[]) => Projection;
  /** Planned at first use or by `planAll`: planning all of them takes a fifth of the start. */
  readonly plan: () => PlannedOperation;
  readonly isMutation: boolean;
}

/** Time for the first requests before plans are made in the background. */
const PLANNING_DELAY_MS = 1_000;

/** Planning in the background pauses this many times as long as it works: it takes a fifth of one core. */
const PAUSE_FACTOR = 4;

/** A request with its context and its public URL. */
interface RestCall {
  readonly request: RestRequest;
  readonly context: RequestContext;
  readonly url: URL;
}

/** Executes the operations of the routes, which the build has validated. */
export class Interpreter {
  private readonly operations = new Map<string, ServedOperation>();
  /** By route and name of the operation. */
  private readonly projections = new Map<Route, ReadonlyMap<string, Projection>>();
  private readonly log: Logger;

  constructor(
    private readonly engine: Engine,
    operations: DocumentNode,
    { routes, log }: { readonly routes: readonly Route[]; readonly log: Logger },
  ) {
    this.log = log;
    const documents = separateOperations(operations);
    const named = routes.flatMap((route) => [...operationsOf(route), ...(route.etag ? [route.etag.operation] : [])]);
    for (const name of new Set(named)) this.operations.set(name, this.prepare(documents[name], name));
    for (const route of routes) this.projections.set(route, this.projectionsOf(route));
  }

  /** Plans all operations in the background, with pauses for requests. Ends at the signal. */
  async planAll(signal: AbortSignal): Promise<void> {
    const pause = (ms: number) => setTimeout(ms, undefined, { ref: false, signal }).catch(() => undefined);
    await pause(PLANNING_DELAY_MS);
    for (const [name, { plan }] of this.operations) {
      if (signal.aborted) return;
      const startedAt = performance.now();
      try {
        plan();
      } catch (err) {
        this.log.error({ err, operation: name }, 'a REST operation cannot be planned');
      }
      await pause((performance.now() - startedAt) * PAUSE_FACTOR);
    }
  }

  /** Executes the operation of the route. Errors become answers and are never thrown. */
  async serve(route: Route, dialect: Dialect, call: RestCall): Promise<Answer> {
    try {
      const notModified = await this.serveNotModified(route, call);
      if (notModified) return notModified;
      const { operation } = route;
      const name = typeof operation === 'object' ? operation.choose(call.request) : operation;
      const data = await this.execute(name ?? '', route, call);
      return successAnswer(route, dialect, { data, url: call.url, request: call.request });
    } catch (error) {
      if (error instanceof GraphQLError && errorCode(error)) {
        const earlier = errorCode(error) === 'BAD_REQUEST' ? await this.accessRefusal(route, call) : undefined;
        return refusalAnswer(dialect, earlier ?? withSentNames(error, route, call.request), route);
      }
      this.report(error, call.context);
      return refusalAnswer(dialect, internal());
    }
  }

  /** The error of a caller without access, which precedes 400 for an invalid request. */
  async accessRefusal(route: Route, call: RestCall): Promise<GraphQLError | undefined> {
    const { viewer } = call.context;
    const address = route.ownerOf?.(call.request);
    // An invalid address is refused as an invalid field.
    const isValid = typeof address === 'string' && isOwnerAddress(address);
    const wrongOwner = isValid ? ownerRefusal(viewer, address) : undefined;
    if (wrongOwner || route.accessCheck === undefined) return wrongOwner;
    const refusal = await this.execute(route.accessCheck, route, call).then(
      () => undefined,
      (error: unknown) => error,
    );
    // Deletions are idempotent: nothing is missing for them.
    const isMissing = errorCode(refusal) === 'NOT_FOUND' && route.method !== 'DELETE';
    return isMissing || errorCode(refusal) === 'FORBIDDEN' ? (refusal as GraphQLError) : undefined;
  }

  /** Answers 304 without executing the whole operation, if the client has the current version. */
  private async serveNotModified(route: Route, call: RestCall): Promise<Answer | undefined> {
    if (!route.etag || call.request.headers['if-none-match'] === undefined) return undefined;
    const [version] = Object.values(await this.execute(route.etag.operation, route, call)) as unknown[];
    return notModifiedAnswer(call.request, version);
  }

  /** The data of the operation. @throws its error */
  private async execute(name: string, route: Route, { request, context }: RestCall): Promise<object> {
    const operation = this.operations.get(name);
    if (!operation) throw new Error(`no operation is named ${name}`);
    const variables = readVariables(operation.variables, route, request);
    const { data, errors } = await this.engine.execute(operation.plan(), variables, context);
    const [error] = publicErrors(errors, (fault) => this.report(fault, context));
    if (error || !data) throw error ?? internal();
    this.projections.get(route)?.get(name)?.(data);
    return data;
  }

  /** Whether a request of the route changes something. */
  isMutation(route: Route): boolean {
    return operationsOf(route).some((name) => this.operations.get(name)?.isMutation);
  }

  private projectionsOf(route: Route): ReadonlyMap<string, Projection> {
    const entries = operationsOf(route).flatMap((name) => {
      const operation = this.operations.get(name);
      return operation ? [[name, operation.projection(route.omitNull ?? [])] as const] : [];
    });
    return new Map(entries);
  }

  private report(fault: unknown, { requestId }: RequestContext): void {
    this.log.error({ requestId, err: fault }, 'a route failed');
  }

  /** @param document only the operation and the fragments that it uses */
  private prepare(document: DocumentNode | undefined, name: string): ServedOperation {
    const operation = document?.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    if (!document || !operation) throw new Error(`a route names the operation ${name}, which does not exist`);
    let planned: PlannedOperation | undefined;
    const plan = () => (planned ??= this.engine.plan(document, name));
    const { schema } = this.engine;
    return {
      plan,
      isMutation: operation.operation === OperationTypeNode.MUTATION,
      variables: variableSpecs(schema, operation),
      projection: (omitNull) => compileProjection({ schema, document, operation }, omitNull),
    };
  }
}

/** The error with the names of fields that the caller sent, where those are aliases. */
function withSentNames(error: GraphQLError, { aliases = {} }: Route, { query, body }: RestRequest): GraphQLError {
  if (errorCode(error) !== 'BAD_REQUEST') return error;
  const sent = Object.entries(aliases).filter(([alias, name]) =>
    [query, body].some((given) => given[alias] != null && given[name] == null),
  );
  const message = sent.reduce((text, [alias, name]) => text.replaceAll(`\`${name}\``, `\`${alias}\``), error.message);
  return message === error.message ? error : badRequest(message, error.extensions);
}

/** The body as an object, empty if there is none. @throws BAD_REQUEST if it is no object */
export function bodyObject(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined || body === null) return {};
  if (!isJsonObject(body)) throw badRequest('The body must be a JSON object.');
  return body;
}
