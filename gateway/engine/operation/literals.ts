import {
  getNamedType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
  type StringValueNode,
} from 'graphql';
import { badRequest } from '../../../kernel/errors.js';
import { isRounded } from '../../../kernel/scalars/exact-json.js';

interface NumberNode {
  readonly value: string;
}

/** Writes numbers that JavaScript rounds as texts, because the planner makes its own numbers of them. */
export function withExactNumbers(document: DocumentNode): DocumentNode {
  const exact = ({ value }: NumberNode): StringValueNode | undefined =>
    isRounded(Number(value), value) ? { kind: Kind.STRING, value } : undefined;
  return visit(document, { [Kind.INT]: exact, [Kind.FLOAT]: exact });
}

/** Returns the document. @throws BAD_REQUEST for a number that the planner would round, unless it is a Float, and for an infinite one */
export function refuseRounded(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const types = new TypeInfo(schema);
  const check = ({ value }: NumberNode) => {
    const type = getNamedType(types.getInputType());
    const number = Number(value);
    if (!Number.isFinite(number)) throw badRequest('A number of the document is too large.');
    if (isRounded(number, value) && type?.name !== 'Float')
      throw badRequest('A number that JavaScript would round must be in a variable, which keeps all its digits.');
  };
  return visit(document, visitWithTypeInfo(types, { [Kind.INT]: check, [Kind.FLOAT]: check }));
}
