import type { ApolloServerPlugin } from '@apollo/server';
import type { OperationDefinitionNode } from 'graphql';
import type { Span, Trace } from '../../kernel/telemetry/trace.js';
import type { RequestContext } from '../engine/execution.js';
import { publicCode } from '../engine/public-errors.js';

/** Longer operation names are left out of spans. */
const MAX_NAME_LENGTH = 64;

/** Adds the operation type, the operation name and the error code to the span of the request. */
export function describeOperations(trace: Trace): ApolloServerPlugin<RequestContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ operation, errors }) => {
        const span = trace.running();
        const [error] = errors ?? [];
        if (error) span?.fail(publicCode(error));
        if (span && operation) describe(span, operation);
      },
    }),
  };
}

function describe(span: Span, { operation: type, name }: OperationDefinitionNode): void {
  const shown = name && name.value.length <= MAX_NAME_LENGTH ? name.value : undefined;
  span.describe({ 'graphql.operation.type': type, ...(shown !== undefined && { 'graphql.operation.name': shown }) });
  span.rename(shown === undefined ? type : `${type} ${shown}`);
}
