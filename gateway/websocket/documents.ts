import { getOperationAST, GraphQLError, type DocumentNode, type GraphQLSchema } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { PlannedOperation } from '../engine/planned-operation.js';
import { operationNotFound } from '../graphql/apollo-server.js';
import type { PlanRequest, PlanCache } from '../graphql/plan-cache.js';
import { documentReader, type ReadDocument } from '../graphql/read-document.js';

interface Planned {
  readonly document: DocumentNode;
  readonly planned: PlannedOperation;
}

/** Parses, validates and plans the documents of websocket messages. */
export class Documents {
  private readonly read: ReadDocument;

  constructor(
    schema: GraphQLSchema,
    private readonly plans: PlanCache,
  ) {
    this.read = documentReader(schema, { isLimited: true });
  }

  /**
   * Plans the document that a message sends or names, or returns its errors.
   * @throws RATE_LIMITED when the client network sends too many new ones, and the refusals of persisted documents
   */
  plan(message: SubscribePayload, call: PlanRequest): Planned | { readonly errors: readonly GraphQLError[] } {
    const text = this.plans.documents.textOf(message) ?? '';
    this.plans.admit(text, call);
    const document = this.read(text);
    if (!('kind' in document)) {
      this.plans.countRefused(text, call);
      return { errors: document.map(withValidationCode) };
    }
    if (!getOperationAST(document, call.name)) return { errors: [operationNotFound()] };
    const planned = this.plans.of(text, document, call);
    this.plans.documents.remember(message, text);
    return { document, planned };
  }
}

/** Adds the code GRAPHQL_VALIDATION_FAILED to an error without a code. */
export function withValidationCode(error: GraphQLError): GraphQLError {
  return error.extensions.code
    ? error
    : new GraphQLError(error.message, {
        nodes: error.nodes ?? null,
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      });
}
