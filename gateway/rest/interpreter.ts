import { GraphQLError, Kind, parse, validate, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import { badRequest, errorCode, internal } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/log.js';
import type { Asker, Engine, PlannedOperation } from '../engine/engine.js';
import { publicErrors } from '../public-errors.js';
import { refusalAnswer, successAnswer, type Answer, type Dialect } from './answers.js';
import { operationsOf, type RestRequest, type Route } from './route.js';
import { readVariables, variableSpecs, type VariableSpec } from './variables.js';

interface ServedOperation {
  readonly planned: PlannedOperation;
  readonly variables: readonly VariableSpec[];
}

/** Serves routes by the operations of a document, all of them parsed, validated and planned here, at start. */
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
    for (const name of new Set(routes.flatMap(operationsOf))) this.operations.set(name, this.prepare(parsed, name));
  }

  /** Executes the route's operation; refusals come back as answers, never thrown. */
  async serve(route: Route, dialect: Dialect, call: { request: RestRequest; asker: Asker; url: URL }): Promise<Answer> {
    try {
      const name = typeof route.operation === 'string' ? route.operation : route.operation(call.request);
      const operation = this.operations.get(name);
      if (!operation) throw new Error(`no operation is named ${name}`);
      const variables = readVariables(operation.variables, route, call.request);
      const { data, errors } = await this.engine.execute(operation.planned, variables, call.asker);
      const [error] = publicErrors(errors, (fault) => this.report(fault, call.asker));
      if (error || !data) return refusalAnswer(dialect, error ?? internal(), route);
      return successAnswer(route, dialect, { data, url: call.url });
    } catch (error) {
      if (error instanceof GraphQLError && errorCode(error)) return refusalAnswer(dialect, error, route);
      this.report(error, call.asker);
      return refusalAnswer(dialect, internal());
    }
  }

  /** The variables of an operation, for the documentation. */
  variablesOf(name: string): readonly VariableSpec[] {
    return this.operations.get(name)?.variables ?? [];
  }

  private report(fault: unknown, { requestId }: Asker): void {
    this.log.error({ requestId, err: fault }, 'a route failed');
  }

  private prepare(document: DocumentNode, name: string): ServedOperation {
    const operation = document.definitions.find(
      (definition): definition is OperationDefinitionNode =>
        definition.kind === Kind.OPERATION_DEFINITION && definition.name?.value === name,
    );
    if (!operation) throw new Error(`a route names the operation ${name}, which does not exist`);
    return { planned: this.engine.plan(document, name), variables: variableSpecs(this.engine.schema, operation) };
  }
}

/** The body as an object: absent is empty. @throws BAD_REQUEST for anything else */
export function bodyObject(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw badRequest('The body must be a JSON object.');
  return body as Readonly<Record<string, unknown>>;
}
