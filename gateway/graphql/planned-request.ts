import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperationTypeNode, type ExecutionResult, type GraphQLError, type GraphQLFormattedError } from 'graphql';
import { isJsonObject, parseExactly } from '../../kernel/scalars/exact-json.js';
import type { Variables } from '../engine/execution.js';
import { retryHeaders } from '../engine/public-errors.js';
import type { PlannedOperation } from '../engine/planned-operation.js';
import type { FormatError } from './apollo-server.js';
import type { DocumentRequest } from './documents/persisted-documents.js';
import type { PlanCache } from './documents/plan-cache.js';

/** Values of Accept for which Apollo Server answers `application/json`. It negotiates all others. */
const ACCEPTS_JSON: ReadonlySet<string | undefined> = new Set([
  undefined,
  '*/*',
  'application/json',
  'application/json, text/plain, */*',
]);

/** A POST of an operation that is in the plan cache. Such a document is valid. */
export interface PlannedRequest {
  readonly operation: PlannedOperation;
  readonly variables: Variables;
}

/** Finds the planned operation of a request. Returns undefined for a request that Apollo Server must read. */
export function findPlannedRequest(
  plans: PlanCache,
  { method, headers, body }: Pick<FastifyRequest, 'method' | 'headers' | 'body'>,
): PlannedRequest | undefined {
  const parameters = method === 'POST' && ACCEPTS_JSON.has(headers.accept) ? parametersIn(body) : undefined;
  const operation = parameters && plans.find(parameters.query, parameters.operationName ?? undefined);
  if (!operation || operation.operation.operation === OperationTypeNode.SUBSCRIPTION) return undefined;
  plans.documents.remember(parameters, parameters.query);
  return { operation, variables: parameters.variables ?? {} };
}

interface Parameters {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Variables | null;
  readonly extensions?: object | null;
}

/** Reads the parameters of a POST with JSON, or of a GET, which may only name its document. Returns undefined if they are not valid. */
export function readParameters({
  method,
  query,
  body,
}: Pick<FastifyRequest, 'method' | 'query' | 'body'>): (Omit<Parameters, 'query'> & DocumentRequest) | undefined {
  if (method !== 'GET' || !isJsonObject(query)) return parametersIn(body);
  const { variables, extensions } = query;
  try {
    const read = { query: '', ...query, variables: parsed(variables), extensions: parsed(extensions) };
    const parameters = parametersIn(read);
    return parameters && { ...parameters, query: query.query };
  } catch {
    return undefined;
  }
}

function parametersIn(body: unknown): Parameters | undefined {
  if (!isJsonObject(body)) return undefined;
  const { query, variables, operationName, extensions } = body;
  if (typeof query !== 'string' || !isName(operationName)) return undefined;
  const isRead = [variables, extensions].every((value) => isAbsent(value) || isJsonObject(value));
  return isRead ? (body as unknown as Parameters) : undefined;
}

/** @throws SyntaxError */
function parsed(json: unknown): unknown {
  return typeof json === 'string' ? parseExactly(json) : json;
}

function isName(value: unknown): value is string | null | undefined {
  return isAbsent(value) || (typeof value === 'string' && value !== '');
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Writes a result as Apollo Server does. Returns the body. Without `data` nothing was executed. */
export function writeResult(reply: FastifyReply, { data, errors }: ExecutionResult, formatError: FormatError): string {
  if (data === undefined) reply.code(statusOf(errors)).headers(retryHeaders(errors));
  reply.header('cache-control', 'no-store').header('content-type', 'application/json; charset=utf-8');
  return JSON.stringify({ errors: errors && errorsOf(errors, formatError), data });
}

/** Returns the errors as the client sees them. */
export function errorsOf(errors: readonly GraphQLError[], formatError: FormatError): GraphQLFormattedError[] {
  return errors.map((error) => formatError(withCode(error)));
}

/** The status that an error names; 400 where the variables are wrong. */
function statusOf(errors: ExecutionResult['errors']): number {
  const statuses = errors?.map(({ extensions }) => Object(extensions.http) as { readonly status?: number });
  return statuses?.find(({ status }) => status !== undefined)?.status ?? 400;
}

function withCode(error: GraphQLError): GraphQLFormattedError {
  const { http: _http, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions: { ...extensions, code: extensions.code ?? 'INTERNAL_SERVER_ERROR' } };
}
