import {
  getOperationAST,
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import type { PlannedOperation } from '../engine/engine.js';
import { noOperationNamed } from '../graphql/handler.js';
import { limitOperations, MAX_TOKENS } from '../graphql/limits.js';
import type { PlanCall, Plans } from '../graphql/plan-cache.js';

interface Planned {
  readonly document: DocumentNode;
  readonly planned: PlannedOperation;
}

/** Reads, checks and plans the documents that come over sockets. */
export class Documents {
  private readonly rules: readonly ValidationRule[];

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly plans: Plans,
  ) {
    this.rules = [...specifiedRules, limitOperations(schema)];
  }

  /** The plan of a document, or why there is none. @throws RATE_LIMITED when the client address sends too many new ones */
  plan(text: string, call: PlanCall): Planned | { readonly errors: readonly GraphQLError[] } {
    this.plans.admit(text, call);
    const document = this.read(text);
    if (!('kind' in document)) {
      this.plans.countRefused(text, call);
      return { errors: document.map(asDocumentFault) };
    }
    if (!getOperationAST(document, call.name)) return { errors: [noOperationNamed()] };
    return { document, planned: this.plans.of(text, document, call) };
  }

  private read(text: string): DocumentNode | readonly GraphQLError[] {
    try {
      const document = parse(text, { maxTokens: MAX_TOKENS });
      const faults = validate(this.schema, document, this.rules);
      return faults.length > 0 ? faults : document;
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
  }
}

/** A fault of a document with a code that says so. */
export function asDocumentFault(error: GraphQLError): GraphQLError {
  return error.extensions.code
    ? error
    : new GraphQLError(error.message, {
        nodes: error.nodes ?? null,
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      });
}
