import type { ApolloServerPlugin } from '@apollo/server';
import { Kind, type OperationDefinitionNode, type OperationTypeNode } from 'graphql';
import type { RequestContext } from '../engine/engine.js';
import { publicCode } from '../engine/public-errors.js';

/** Characters of a client's name for an operation that are logged. */
const MAX_NAME_LENGTH = 64;

/** What the log and the metrics say of a GraphQL request: its status is 200 also where it was refused. */
export interface OperationReport {
  /** `none` for a document that was refused. */
  readonly type: OperationTypeNode | 'none';
  /** As the client named it: for the log, never for metrics. */
  readonly name?: string;
  /** Its one root field as the schema names it, else `several`; `none` for a document that was refused. */
  readonly field: string;
  /** The codes of its errors, each once. */
  readonly codes: readonly string[];
}

/** Who asks, and where to report what became of it. */
export interface ReportingContext extends RequestContext {
  readonly report: (operation: OperationReport) => void;
}

/** Reports each GraphQL request when it is answered. */
export function reportOperations(): ApolloServerPlugin<ReportingContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ contextValue, operation, errors = [] }) => {
        const codes = [...new Set(errors.map(publicCode))];
        contextValue.report({ ...(operation ? described(operation) : { type: 'none', field: 'none' }), codes });
      },
    }),
  };
}

/** What an operation of a valid document is called: its fields are the schema's. */
export function described({ operation, name, selectionSet }: OperationDefinitionNode): Omit<OperationReport, 'codes'> {
  const [first, ...others] = selectionSet.selections;
  const field = first?.kind === Kind.FIELD && others.length === 0 ? first.name.value : 'several';
  return { type: operation, ...(name && { name: name.value.slice(0, MAX_NAME_LENGTH) }), field };
}
