import type { ApolloServerPlugin } from '@apollo/server';
import { Kind, type OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../engine/execution.js';
import { publicCode } from '../engine/public-errors.js';
import type { OperationReport } from '../http/metrics.js';

/** Longer operation names are cut in the log. */
const MAX_NAME_LENGTH = 64;

/** A request context with a callback for the operation report. */
export interface ReportingContext extends RequestContext {
  readonly report: (operation: OperationReport) => void;
}

/** Reports each GraphQL request when it is answered. */
export function reportOperations(): ApolloServerPlugin<ReportingContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ contextValue, operation, errors = [] }) => {
        const codes = [...new Set(errors.map(publicCode))];
        contextValue.report({ ...(operation ? describeOperation(operation) : { type: 'none', field: 'none' }), codes });
      },
    }),
  };
}

/** Describes an operation of a valid document. */
export function describeOperation({
  operation,
  name,
  selectionSet,
}: OperationDefinitionNode): Omit<OperationReport, 'codes'> {
  const [first, ...others] = selectionSet.selections;
  const field = first?.kind === Kind.FIELD && others.length === 0 ? first.name.value : 'several';
  return { type: operation, ...(name && { name: name.value.slice(0, MAX_NAME_LENGTH) }), field };
}
