import {
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import { badRequest } from '../../../kernel/errors.js';
import { withRequestCode } from '../../engine/public-errors.js';
import { checkDefer } from './defer-rule.js';
import { limitOperations, MAX_TOKENS } from '../limits/limits.js';

/**
 * Parses and validates a document. Returns its errors instead when it is invalid, or above the limits if it has any, with
 * the codes of Apollo Server.
 */
export type ReadDocument = (text: string) => DocumentNode | readonly GraphQLError[];

/** Returns the function that reads documents for a schema. */
export function documentReader(schema: GraphQLSchema, { isLimited }: { readonly isLimited: boolean }): ReadDocument {
  const rules = [...specifiedRules, checkOperationType, checkDefer, ...(isLimited ? [limitOperations(schema)] : [])];
  return (text) => {
    try {
      const document = parse(text, isLimited ? { maxTokens: MAX_TOKENS } : {});
      const errors = validate(schema, document, rules);
      return errors.length > 0 ? errors.map((error) => withRequestCode(error, 'GRAPHQL_VALIDATION_FAILED')) : document;
    } catch (error) {
      if (error instanceof GraphQLError) return [withRequestCode(error, 'GRAPHQL_PARSE_FAILED')];
      throw error;
    }
  };
}

/** Refuses operations of a type that the schema does not have, which the rules of graphql-js pass over. */
const checkOperationType: ValidationRule = (context) => ({
  OperationDefinition(node) {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(badRequest(`The schema has no ${node.operation}s.`));
  },
});
