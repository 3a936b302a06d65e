import { GraphQLError, parse, specifiedRules, validate, type DocumentNode, type GraphQLSchema } from 'graphql';
import { limitOperations, MAX_TOKENS } from '../limits/limits.js';

/** Parses and validates a document. Returns its errors instead when it is invalid, or above the limits if it has any. */
export type ReadDocument = (text: string) => DocumentNode | readonly GraphQLError[];

/** Returns the function that reads documents for a schema. */
export function documentReader(schema: GraphQLSchema, { isLimited }: { readonly isLimited: boolean }): ReadDocument {
  const rules = isLimited ? [...specifiedRules, limitOperations(schema)] : specifiedRules;
  return (text) => {
    try {
      const document = parse(text, isLimited ? { maxTokens: MAX_TOKENS } : {});
      const errors = validate(schema, document, rules);
      return errors.length > 0 ? errors : document;
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
  };
}
