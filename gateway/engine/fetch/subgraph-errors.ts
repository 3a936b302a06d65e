import { errorCodeDef, ERRORS } from '@apollo/federation-internals';
import { GraphQLError } from 'graphql';
import { originalName } from '../operation/aliases.js';
import { requiredName } from '../supergraph/required-fields.js';
import type { Path } from './targets.js';

/** Returns an error of a subgraph, or its JSON, as an error of the operation. @param path in the response of the operation */
export function operationError(error: GraphQLError, serviceName: string, path: Path | undefined): GraphQLError {
  const message = error.message || `Error while fetching subquery from service "${serviceName}"`;
  const options = {
    originalError: error,
    path: path && path.map((step) => (typeof step === 'string' ? requiredName(originalName(step)) : step)),
    extensions: { ...error.extensions, serviceName },
  };
  const known = errorCodeDef(error);
  if (!known && error.extensions?.code) return new GraphQLError(message, options);
  return (known ?? ERRORS.DOWNSTREAM_SERVICE_ERROR).err(message, options);
}

/** Returns what a subgraph client threw as an error of the operation. */
export function thrownError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  return error instanceof Error
    ? new GraphQLError(error.message, { originalError: error })
    : new GraphQLError(String(error));
}
