import {
  createSourceEventStream,
  OperationTypeNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import type { ByteAnswer } from '../http/bytes.js';
import { CompiledOperations, type Compiled } from './compiled-operations.js';
import type { Context, Runtime } from './context.js';
import { resolveEntitiesDirectly } from './entities.js';
import { withRowBudget } from '../database/row-budget.js';
import { badRequest, errorCode, internal, notFound } from '../errors.js';
import { SourceState, stateAfter } from '../events/sources/states.js';
import type {
  ByteRequest,
  RequestOrigin,
  SubgraphClient,
  SubgraphEvent,
  SubgraphRequest,
  SubgraphResult,
} from './subgraph-client.js';
import type { ByteEndpoint, SubgraphManifest } from './subgraph.js';

/** Queries are never aborted, even if the client disconnects. */
const NEVER_ABORTED = new AbortController().signal;

interface LocalSubgraphOptions {
  readonly byteEndpoints?: Readonly<Record<string, ByteEndpoint>> | undefined;
  readonly checks?: SubgraphManifest['checks'];
  readonly startJobs?: () => Promise<void>;
  /** Closes the services. */
  readonly close?: () => Promise<void>;
}

/** A subgraph in this process. Each operation text is parsed and compiled once. */
export class LocalSubgraph implements SubgraphClient {
  readonly dependency = 'database';
  private readonly operations: CompiledOperations;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly runtime: Runtime,
    private readonly options: LocalSubgraphOptions = {},
  ) {
    resolveEntitiesDirectly(schema);
    this.operations = new CompiledOperations(schema);
  }

  async execute(request: SubgraphRequest): Promise<SubgraphResult> {
    const context = this.contextOf(request, NEVER_ABORTED);
    const { compiled, errors } = this.tryCompile(request.query);
    if (!compiled) return { errors };
    if (compiled.type === OperationTypeNode.SUBSCRIPTION)
      return { errors: [badRequest('Subscriptions are served as text/event-stream only.')] };
    const variables = withoutPrototype(request.variables);
    const execute = () => compiled.query(undefined, context, variables);
    // A mutation may read much to change it: a finalize reads the rows of all chunks.
    const isLimited = compiled.type === OperationTypeNode.QUERY && compiled.selectsLists;
    const result = await (isLimited ? withRowBudget(execute) : execute());
    return this.withSafeErrors(result, context);
  }

  async subscribe(request: SubgraphRequest, signal: AbortSignal): Promise<AsyncIterable<SubgraphEvent>> {
    const context = this.contextOf(request, signal, request.resumeFrom);
    const { compiled, errors } = this.tryCompile(request.query);
    if (!compiled) return only(this.withSafeErrors({ errors }, context));
    const variableValues = withoutPrototype(request.variables);
    const { document, selectsLists } = compiled;
    const source = await createSourceEventStream({
      schema: this.schema,
      document,
      contextValue: context,
      variableValues,
    });
    if (!(Symbol.asyncIterator in source)) return only(this.withSafeErrors(source, context));
    const execute = (event: unknown) => compiled.query(event, context, variableValues);
    return this.results(source, context, selectsLists ? (event) => withRowBudget(() => execute(event)) : execute);
  }

  async open({ name, parameters, signal, ...caller }: ByteRequest): Promise<ByteAnswer> {
    const context = this.contextOf(caller, signal);
    const { byteEndpoints = {} } = this.options;
    const endpoint = Object.hasOwn(byteEndpoints, name) ? byteEndpoints[name] : undefined;
    if (!endpoint) throw notFound('There is no download with this name.');
    try {
      return await endpoint(parameters, context);
    } catch (error) {
      throw this.safeError(error, context);
    }
  }

  async check(): Promise<readonly string[]> {
    const { database, services } = this.runtime;
    const others = Object.entries(this.options.checks ?? {}).map(([name, check]) => failedName(name, check(services)));
    const names = await Promise.all([failedName(this.dependency, database.check()), ...others]);
    return names.flat();
  }

  /** Runs its jobs from now on. */
  async startJobs(): Promise<void> {
    await this.options.startJobs?.();
  }

  async close(): Promise<void> {
    await this.runtime.jobs.close();
    await this.options.close?.();
    await this.runtime.events.close();
    await this.runtime.database.close();
  }

  /** Names each property, because V8 needs 6 µs for a spread with more properties after it. */
  private contextOf(
    { viewer, requestId, clientAddress = '', userAgent, isBillingBypassed = false }: RequestOrigin,
    signal: AbortSignal,
    resumeFrom?: string,
  ): Context {
    const { database, events, jobs, services, callSubgraph, now, publicUrl, log } = this.runtime;
    return {
      database,
      events,
      jobs,
      services,
      callSubgraph,
      now,
      publicUrl,
      log,
      viewer,
      requestId,
      clientAddress,
      userAgent,
      isBillingBypassed,
      signal,
      resumeFrom,
    };
  }

  /** An operation that does not compile is invalid: it is a bad document or a literal that a scalar refuses. */
  private tryCompile(text: string): { compiled?: Compiled; errors: GraphQLError[] } {
    try {
      return { compiled: this.operations.of(text), errors: [] };
    } catch (error) {
      return {
        errors: [
          errorCode(error)
            ? (error as GraphQLError)
            : badRequest(error instanceof Error ? error.message : String(error)),
        ],
      };
    }
  }

  private async *results(
    source: AsyncIterable<unknown>,
    context: Context,
    execute: (event: unknown) => ExecutionResult | Promise<ExecutionResult>,
  ): AsyncGenerator<SubgraphEvent> {
    try {
      for await (const event of source) {
        const state = stateAfter(event);
        if (event instanceof SourceState) yield { state };
        else yield { ...this.withSafeErrors(await execute(event), context), state };
      }
    } catch (error) {
      yield { data: null, errors: [this.safeError(error, context)] };
    }
  }

  /** Public errors are returned; other errors are logged in full and replaced by an internal error. */
  private withSafeErrors(result: ExecutionResult, context: Context): SubgraphResult {
    if (!result.errors) return { data: result.data ?? null };
    const errors = result.errors.map((error) => this.safeError(error, context));
    return { data: result.data ?? null, errors };
  }

  private safeError(error: unknown, { requestId, log }: Context): GraphQLError {
    const code = errorCode(error);
    if (code && code !== 'INTERNAL') return error as GraphQLError;
    log.error({ requestId, err: originalOf(error) }, 'a resolver failed');
    if (code) return error as GraphQLError;
    const shown = internal();
    return Object.assign(shown, error instanceof Error && 'path' in error ? { path: error.path } : {});
  }
}

async function* only(result: SubgraphResult): AsyncGenerator<SubgraphEvent> {
  yield result;
}

/** Returns the name if the check fails. */
function failedName(name: string, check: Promise<void>): Promise<string[]> {
  return check.then(
    () => [],
    () => [name],
  );
}

/** Copies to an object without a prototype, because a variable may be named `constructor`. */
function withoutPrototype(variables: SubgraphRequest['variables']): Record<string, unknown> {
  return Object.assign(Object.create(null) as object, variables);
}

function originalOf(error: unknown): unknown {
  return error instanceof Error && 'originalError' in error && error.originalError ? error.originalError : error;
}
