import {
  getOperationAST,
  GraphQLError,
  Kind,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import type { PlannedOperation } from '../engine/planned-operation.js';
import { operationNotFound } from './apollo-server.js';
import { limitOperations, MAX_TOKENS } from './limits.js';
import type { PlanRequest, PlanCache } from './plan-cache.js';

interface Planned {
  readonly document: DocumentNode;
  readonly planned: PlannedOperation;
}

/** Parses, validates and plans the documents of subscriptions, and of all operations on websockets. */
export class Documents {
  private readonly rules: readonly ValidationRule[];

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly plans: PlanCache,
    private readonly isLimited: boolean,
  ) {
    this.rules = isLimited ? [...specifiedRules, limitOperations(schema)] : specifiedRules;
  }

  /** Plans a document, or returns its errors. @throws RATE_LIMITED when the client network sends too many new ones */
  plan(text: string, call: PlanRequest): Planned | { readonly errors: readonly GraphQLError[] } {
    const known = this.plans.find(text, call.name);
    if (known) return { document: { kind: Kind.DOCUMENT, definitions: [known.operation] }, planned: known };
    this.plans.admit(text, call);
    const document = this.read(text);
    if (!('kind' in document)) {
      this.plans.countRefused(text, call);
      return { errors: document.map(withValidationCode) };
    }
    if (!getOperationAST(document, call.name)) return { errors: [operationNotFound()] };
    return { document, planned: this.plans.of(text, document, call) };
  }

  private read(text: string): DocumentNode | readonly GraphQLError[] {
    try {
      const document = parse(text, this.isLimited ? { maxTokens: MAX_TOKENS } : {});
      const errors = validate(this.schema, document, this.rules);
      return errors.length > 0 ? errors : document;
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
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
