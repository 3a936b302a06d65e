import {
  Kind,
  OperationTypeNode,
  visit,
  type ASTNode,
  type ASTVisitor,
  type DirectiveNode,
  type ValidationContext,
} from 'graphql';
import { badRequest } from '../../../kernel/errors.js';
import { DEFER } from '../../engine/operation/deferral.js';

/** Checks `@defer`, for which graphql-js 16 has no rules. Source: GraphQL, Incremental Delivery, Validation */
export function checkDefer(context: ValidationContext): ASTVisitor {
  const labels = new Set<string>();
  const report = (message: string) => context.reportError(badRequest(message));
  return {
    Directive(directive) {
      if (directive.name.value !== DEFER) return;
      const [parent, schema] = [context.getParentType(), context.getSchema()];
      if (parent && (parent === schema.getMutationType() || parent === schema.getSubscriptionType()))
        report(`\`@defer\` cannot be used on fields of \`${parent.name}\`.`);
      const label = valueOf(directive, 'label');
      if (label?.kind === Kind.VARIABLE) report('The label of `@defer` cannot be a variable.');
      if (label?.kind !== Kind.STRING) return;
      if (labels.has(label.value)) report(`Each label of \`@defer\` is used once; "${label.value}" is used again.`);
      labels.add(label.value);
    },
    OperationDefinition(operation) {
      if (operation.operation !== OperationTypeNode.SUBSCRIPTION) return;
      const used = [operation, ...context.getRecursivelyReferencedFragments(operation)];
      if (used.some(isAlwaysDeferring))
        report('A subscription cannot use `@defer`. Only `@defer(if: false)` is ignored.');
    },
  };
}

function isAlwaysDeferring(node: ASTNode): boolean {
  let isFound = false;
  visit(node, {
    Directive(directive) {
      const condition = valueOf(directive, 'if');
      const isOff = condition?.kind === Kind.VARIABLE || (condition?.kind === Kind.BOOLEAN && !condition.value);
      isFound ||= directive.name.value === DEFER && !isOff;
    },
  });
  return isFound;
}

function valueOf({ arguments: given = [] }: DirectiveNode, name: string) {
  return given.find((argument) => argument.name.value === name)?.value;
}
