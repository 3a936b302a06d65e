import type { GraphQLError, OperationDefinitionNode } from 'graphql';
import type { Span } from '../../kernel/telemetry/trace.js';
import { publicCode } from '../engine/public-errors.js';

/** Longer operation names are left out of spans. */
const MAX_NAME_LENGTH = 64;

/** Adds the operation type, the operation name and the error code to the span of the request. */
export function annotateSpan(
  span: Span,
  operation: OperationDefinitionNode | undefined,
  [error]: readonly GraphQLError[],
): void {
  if (error) span.fail(publicCode(error));
  if (!operation) return;
  const { operation: type, name } = operation;
  const shown = name && name.value.length <= MAX_NAME_LENGTH ? name.value : undefined;
  span.describe({ 'graphql.operation.type': type, ...(shown !== undefined && { 'graphql.operation.name': shown }) });
  span.rename(shown === undefined ? type : `${type} ${shown}`);
}
