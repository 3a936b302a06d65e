import {
  getOperationAST,
  OperationTypeNode,
  parse,
  subscribe,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { ByteAnswer } from '../http/bytes.js';
import type { Context, Runtime } from './context.js';
import { badRequest, errorCode, internal, notFound } from '../errors.js';
import type { ByteRequest, RequestOrigin, SubgraphRequest, SubgraphResult, SubgraphClient } from './subgraph-client.js';
import type { ByteEndpoint, SubgraphManifest } from './subgraph.js';

/** What is kept compiled: so many fetches, and so many characters of their texts, as a long one holds more memory. */
const KEPT = { max: 2_000, maxSize: 1_000_000 } as const;

/** Queries run to their end whoever still listens. */
const NEVER = new AbortController().signal;

interface Compiled {
  readonly document: DocumentNode;
  readonly query: CompiledQuery['query'];
  readonly isSubscription: boolean;
}

interface Rest {
  readonly byteEndpoints?: Readonly<Record<string, ByteEndpoint>> | undefined;
  readonly checks?: SubgraphManifest['checks'];
  /** Closes the services. */
  readonly close?: () => Promise<void>;
}

/** A subgraph that runs in this process: each text is parsed and compiled once. */
export class LocalSubgraph implements SubgraphClient {
  readonly dependency = 'database';
  private readonly compiled = new LRUCache<string, Compiled>(KEPT);

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly runtime: Runtime,
    private readonly rest: Rest = {},
  ) {}

  async execute(request: SubgraphRequest): Promise<SubgraphResult> {
    const context = this.contextOf(request, NEVER);
    const { compiled, faults } = this.tryCompile(request.query);
    if (!compiled) return { errors: faults };
    if (compiled.isSubscription) return { errors: [badRequest('Subscriptions are served as text/event-stream only.')] };
    const result = await compiled.query(undefined, context, ownVariables(request.variables));
    return this.withSafeErrors(result, context);
  }

  async subscribe(request: SubgraphRequest, signal: AbortSignal): Promise<AsyncIterable<SubgraphResult>> {
    const context = this.contextOf(request, signal);
    const { compiled, faults } = this.tryCompile(request.query);
    if (!compiled) return this.results({ errors: faults }, context);
    const stream = await subscribe({
      schema: this.schema,
      document: compiled.document,
      contextValue: context,
      variableValues: ownVariables(request.variables),
    });
    return this.results(stream, context);
  }

  async open({ name, parameters, signal, ...caller }: ByteRequest): Promise<ByteAnswer> {
    const context = this.contextOf(caller, signal);
    const { byteEndpoints = {} } = this.rest;
    const endpoint = Object.hasOwn(byteEndpoints, name) ? byteEndpoints[name] : undefined;
    if (!endpoint) throw notFound('There are no bytes by this name.');
    try {
      return await endpoint(parameters, context);
    } catch (error) {
      throw this.safeError(error, context);
    }
  }

  async check(): Promise<readonly string[]> {
    const { database, services } = this.runtime;
    const others = Object.entries(this.rest.checks ?? {}).map(([name, check]) => failing(name, check(services)));
    const names = await Promise.all([failing(this.dependency, database.check()), ...others]);
    return names.flat();
  }

  async close(): Promise<void> {
    await this.runtime.jobs.close();
    await this.rest.close?.();
    await this.runtime.events.close();
    await this.runtime.database.close();
  }

  private contextOf(
    { viewer, requestId, clientAddress = '', isBillingBypassed = false }: RequestOrigin,
    signal: AbortSignal,
  ): Context {
    return { ...this.runtime, viewer, requestId, clientAddress, isBillingBypassed, signal };
  }

  /** What does not compile is the fault of its text: of a literal that a scalar refuses, or of whoever is at the door. */
  private tryCompile(text: string): { compiled?: Compiled; faults: GraphQLError[] } {
    try {
      return { compiled: this.compile(text), faults: [] };
    } catch (error) {
      return {
        faults: [
          errorCode(error)
            ? (error as GraphQLError)
            : badRequest(error instanceof Error ? error.message : String(error)),
        ],
      };
    }
  }

  private compile(text: string): Compiled {
    const known = this.compiled.get(text);
    if (known) return known;
    const document = parse(text, { noLocation: true });
    const compiled = compileQuery(this.schema, document);
    if (!isCompiledQuery(compiled)) throw compiled.errors?.[0] ?? new Error('a fetch does not compile');
    const isSubscription = getOperationAST(document)?.operation === OperationTypeNode.SUBSCRIPTION;
    const entry = { document, query: compiled.query, isSubscription };
    this.compiled.set(text, entry, { size: text.length });
    return entry;
  }

  private async *results(
    stream: ExecutionResult | AsyncIterable<ExecutionResult>,
    context: Context,
  ): AsyncGenerator<SubgraphResult> {
    if (!(Symbol.asyncIterator in stream)) {
      yield this.withSafeErrors(stream, context);
      return;
    }
    try {
      for await (const result of stream) yield this.withSafeErrors(result, context);
    } catch (error) {
      yield { data: null, errors: [this.safeError(error, context)] };
    }
  }

  /** Refusals pass; everything else is logged whole and shown as our fault. */
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

/** The name, where the check fails. */
function failing(name: string, check: Promise<void>): Promise<string[]> {
  return check.then(
    () => [],
    () => [name],
  );
}

/** Without a prototype: a variable may be named `constructor`. */
function ownVariables(variables: SubgraphRequest['variables']): Record<string, unknown> {
  return Object.assign(Object.create(null) as object, variables);
}

function originalOf(error: unknown): unknown {
  return error instanceof Error && 'originalError' in error && error.originalError ? error.originalError : error;
}
