import { GraphQLError, Kind, parse, separateOperations, validate, type DocumentNode } from 'graphql';
import { badRequest, errorCode, forbidden, internal } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/telemetry/log.js';
import type { RequestContext, Engine, PlannedOperation } from '../../engine/engine.js';
import { publicErrors } from '../../engine/public-errors.js';
import { knownAnswer, refusalAnswer, successAnswer, type Answer, type Dialect } from './answers.js';
import { exactPaths, makeExact, type Path } from './exact.js';
import { operationsOf, type RestRequest, type Route } from '../route.js';
import { readVariables, variableSpecs, type VariableSpec } from './variables.js';

interface ServedOperation {
  readonly variables: readonly VariableSpec[];
  /** Of numbers that are JSON numbers however large they are. */
  readonly exact: readonly Path[];
  /** Its plan, made when it is first asked for: all of them at once would be a fifth of every start. */
  readonly plan: () => PlannedOperation;
}

/** A request with who asks and by what address. */
interface RestCall {
  readonly request: RestRequest;
  readonly context: RequestContext;
  readonly url: URL;
}

/** Of what can be an owner's address. Source: folder-sync document, Limits */
const isAddress = (text: string): boolean => /^[^%/\\\0]+$/.test(text) && Buffer.byteLength(text) <= 256;

/** Serves routes by the operations of a document, all of them parsed and validated here, at start. */
export class Interpreter {
  private readonly operations = new Map<string, ServedOperation>();
  private readonly log: Logger;

  constructor(
    private readonly engine: Engine,
    document: string,
    { routes, log }: { readonly routes: readonly Route[]; readonly log: Logger },
  ) {
    this.log = log;
    const parsed = parse(document);
    const faults = validate(engine.schema, parsed);
    if (faults.length > 0)
      throw new Error(`the REST operations do not fit the schema: ${faults.map(String).join('\n')}`);
    const documents = separateOperations(parsed);
    const named = routes.flatMap((route) => [...operationsOf(route), ...(route.etag ? [route.etag.operation] : [])]);
    for (const name of new Set(named)) this.operations.set(name, this.prepare(documents[name], name));
  }

  /** Executes the route's operation; refusals come back as answers, never thrown. */
  async serve(route: Route, dialect: Dialect, call: RestCall): Promise<Answer> {
    try {
      const known = await this.serveKnown(route, call);
      if (known) return known;
      const name = typeof route.operation === 'function' ? route.operation(call.request) : route.operation;
      const data = await this.execute(name ?? '', route, call);
      return successAnswer(route, dialect, { data, url: call.url, request: call.request });
    } catch (error) {
      if (error instanceof GraphQLError && errorCode(error)) {
        const first = errorCode(error) === 'BAD_REQUEST' ? await this.forbids(route, call) : undefined;
        return refusalAnswer(dialect, first ?? asSent(error, route, call.request), route);
      }
      this.report(error, call.context);
      return refusalAnswer(dialect, internal());
    }
  }

  /**
   * What is to be said before that a request cannot be read: who is signed in is told first what is not theirs. Undefined where there
   * is nothing. Source: decisions, Order of checks
   */
  async forbids(route: Route, call: RestCall): Promise<GraphQLError | undefined> {
    const { viewer } = call.context;
    const address = route.owner?.(call.request);
    // What is no address is refused as such.
    const isOwner = viewer.kind === 'user' && viewer.substrateAddress === address;
    if (!isOwner && typeof address === 'string' && isAddress(address))
      return forbidden('Your token belongs to another SS58 address.');
    if (route.gate === undefined) return undefined;
    const refusal = await this.execute(route.gate, route, call).then(
      () => undefined,
      (error: unknown) => error,
    );
    // Deletions are idempotent: nothing is missing for them.
    const isMissing = errorCode(refusal) === 'NOT_FOUND' && route.method !== 'DELETE';
    return isMissing || errorCode(refusal) === 'FORBIDDEN' ? (refusal as GraphQLError) : undefined;
  }

  /** What a client that names a state is answered without all of it, where it has that state. */
  private async serveKnown(route: Route, call: RestCall): Promise<Answer | undefined> {
    if (!route.etag || call.request.headers['if-none-match'] === undefined) return undefined;
    const [state] = Object.values(await this.execute(route.etag.operation, route, call)) as unknown[];
    return knownAnswer(call.request, state);
  }

  /** The operation's data. @throws its refusal */
  private async execute(name: string, route: Route, { request, context }: RestCall): Promise<object> {
    const operation = this.operations.get(name);
    if (!operation) throw new Error(`no operation is named ${name}`);
    const variables = readVariables(operation.variables, route, request);
    const { data, errors } = await this.engine.execute(operation.plan(), variables, context);
    const [error] = publicErrors(errors, (fault) => this.report(fault, context));
    if (error || !data) throw error ?? internal();
    makeExact(data, operation.exact);
    return data;
  }

  /** The variables of an operation, for the documentation. */
  variablesOf(name: string): readonly VariableSpec[] {
    return this.operations.get(name)?.variables ?? [];
  }

  private report(fault: unknown, { requestId }: RequestContext): void {
    this.log.error({ requestId, err: fault }, 'a route failed');
  }

  /** @param document the operation and the fragments it uses, nothing else */
  private prepare(document: DocumentNode | undefined, name: string): ServedOperation {
    const operation = document?.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    if (!document || !operation) throw new Error(`a route names the operation ${name}, which does not exist`);
    let planned: PlannedOperation | undefined;
    const plan = () => (planned ??= this.engine.plan(document, name));
    const { schema } = this.engine;
    return { plan, variables: variableSpecs(schema, operation), exact: exactPaths(schema, document, operation) };
  }
}

/** The refusal with each field by the name that the caller sent it by. */
function asSent(error: GraphQLError, { aliases = {} }: Route, { query, body }: RestRequest): GraphQLError {
  if (errorCode(error) !== 'BAD_REQUEST') return error;
  const sent = Object.entries(aliases).filter(([alias, name]) =>
    [query, body].some((given) => given[alias] != null && given[name] == null),
  );
  const message = sent.reduce((text, [alias, name]) => text.replaceAll(`\`${name}\``, `\`${alias}\``), error.message);
  return message === error.message ? error : badRequest(message, error.extensions);
}

/** The body as an object: absent is empty. @throws BAD_REQUEST for anything else */
export function bodyObject(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw badRequest('The body must be a JSON object.');
  return body as Readonly<Record<string, unknown>>;
}
