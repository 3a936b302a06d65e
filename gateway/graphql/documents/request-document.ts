import type { FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { badRequest, errorCode } from '../../../kernel/errors.js';
import { ExactNumber } from '../../../kernel/scalars/exact-json.js';
import { refuseLongDocument } from '../body-limit.js';
import type { DocumentRequest } from './persisted-documents.js';
import type { PlanCache } from './plan-cache.js';

interface Parameters extends DocumentRequest {
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

/**
 * Resolves a persisted query and checks the allowance of the client network, before parsing. Puts the text into a POST body
 * that has only the hash. Returns the reason why the document is not executed.
 * @throws RATE_LIMITED, BAD_REQUEST, PAYLOAD_TOO_LARGE
 */
export function readDocument(
  plans: PlanCache,
  request: FastifyRequest,
  address: string | undefined,
): GraphQLError | undefined {
  const parameters = parametersOf(request);
  const { operationName } = parameters;
  refuseExactNumbers(parameters);
  refuseLongDocument(parameters.query);
  try {
    const text = plans.documents.textOf(parameters);
    if (text === undefined) return undefined;
    plans.admit(text, { name: typeof operationName === 'string' ? operationName : undefined, address });
    if (request.method === 'POST' && text !== parameters.query) request.body = withText(parameters, text);
    return undefined;
  } catch (error) {
    if (error instanceof GraphQLError && !errorCode(error)) return error;
    throw error;
  }
}

/** Refuses numbers that Apollo Server would take for objects. */
function refuseExactNumbers({ variables, extensions }: Parameters): void {
  for (const [name, value] of Object.entries({ variables, extensions }))
    if (value instanceof ExactNumber) throw badRequest(`\`${name}\` must be an object.`);
}

function parametersOf({ method, query, body }: FastifyRequest): Parameters {
  if (method !== 'GET') return Object(body) as Parameters;
  const parameters = query as Readonly<Record<string, unknown>>;
  return { ...parameters, extensions: parsed(parameters.extensions) };
}

/** Returns the value of a JSON text; undefined for another value, which Apollo Server refuses. */
function parsed(json: unknown): unknown {
  try {
    return typeof json === 'string' ? JSON.parse(json) : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the hash of a persisted query by its text. */
function withText({ extensions, ...rest }: Parameters, query: string): object {
  const { persistedQuery: _persistedQuery, ...others } = Object(extensions) as Readonly<Record<string, unknown>>;
  return { ...rest, query, extensions: others };
}
