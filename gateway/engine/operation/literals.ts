import { Kind, visit, type DocumentNode, type StringValueNode } from 'graphql';
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
