import { GraphQLError } from 'graphql';
import { originalName } from '../operation/aliases.js';
import { requiredName } from '../supergraph/required-fields.js';
import type { Path } from './targets.js';

/** Returns an error of a subgraph, or its JSON, as an error of the operation. @param path in the response of the operation */
export function operationError(error: GraphQLError, serviceName: string, path: Path | undefined): GraphQLError {
  const message = error.message || `Error while fetching subquery from service "${serviceName}"`;
  const code = error.extensions?.code || 'DOWNSTREAM_SERVICE_ERROR';
  return new GraphQLError(message, {
    originalError: error,
    path: path && path.map((step) => (typeof step === 'string' ? requiredName(originalName(step)) : step)),
    extensions: { ...error.extensions, serviceName, code },
  });
}

/** Returns what a subgraph client threw as an error of the operation. */
export function thrownError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return error instanceof Error
    ? new GraphQLError(error.message, { originalError: error })
    : new GraphQLError(String(error));
}
