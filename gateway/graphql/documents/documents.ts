import { getOperationAST, Kind, type DocumentNode, type GraphQLError } from 'graphql';
import type { PlannedOperation } from '../../engine/planned-operation.js';
import { requestError, withRequestCode } from '../../engine/public-errors.js';
import type { DocumentRequest } from './persisted-documents.js';
import type { PlanRequest, PlanCache } from './plan-cache.js';
import type { ReadDocument } from './read-document.js';

/** Apollo's error code when `operationName` selects no executable operation. */
export const OPERATION_RESOLUTION_FAILURE = 'OPERATION_RESOLUTION_FAILURE';

interface Planned {
  readonly text: string;
  readonly document: DocumentNode;
  readonly planned: PlannedOperation;
}

/** Parses, validates and plans the documents of subscriptions, and of all operations on websockets. */
export class Documents {
  constructor(
    private readonly plans: PlanCache,
    private readonly read: ReadDocument,
  ) {}

  /**
   * Plans the document that a request sends or names, or returns its errors.
   * @throws RATE_LIMITED when the client network sends too many new ones, and the refusals of persisted documents
   */
  plan(request: DocumentRequest, call: PlanRequest): Planned | { readonly errors: readonly GraphQLError[] } {
    const text = this.plans.documents.textOf(request) ?? '';
    const result = this.find(text, call) ?? this.planNew(text, call);
    if ('planned' in result) this.plans.documents.remember(request, text);
    return result;
  }

  private find(text: string, { name }: PlanRequest): Planned | undefined {
    const planned = this.plans.find(text, name);
    // The document was validated when it was planned. Its executor uses the plan: the document only shows the operation.
    return planned && { text, document: { kind: Kind.DOCUMENT, definitions: [planned.operation] }, planned };
  }

  private planNew(text: string, call: PlanRequest): Planned | { readonly errors: readonly GraphQLError[] } {
    this.plans.admit(text, call);
    const document = this.read(text);
    if ('kind' in document && getOperationAST(document, call.name))
      return { text, document, planned: this.plans.planOrGet(text, document, call) };
    this.plans.chargeInvalid(text, call.address);
    return { errors: 'kind' in document ? [operationNotFound()] : document };
  }
}

/** The error when `operationName` does not select one operation of the document. */
export function operationNotFound(): GraphQLError {
  return requestError(
    OPERATION_RESOLUTION_FAILURE,
    '`operationName` must select exactly one operation of the document.',
    400,
  );
}

/** Adds the code GRAPHQL_VALIDATION_FAILED to an error without a code. */
export function withValidationCode(error: GraphQLError): GraphQLError {
  return error.extensions.code ? error : withRequestCode(error, 'GRAPHQL_VALIDATION_FAILED');
}
