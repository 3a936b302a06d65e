import {
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ArgumentNode,
  type DirectiveNode,
  type GraphQLSchema,
  type InlineFragmentNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import type { Request } from '../executors.js';
import { Random } from './random.js';

const CONDITION = 'isDeferred';

/** Adds `@defer` to fragments of a request, and puts fields into deferred fragments. */
export function withRandomDefers(schema: GraphQLSchema, request: Request, seed: string): Request {
  const random = new Random(`${seed} defers`);
  const info = new TypeInfo(schema);
  let isConditional = false;
  const directive = (): DirectiveNode => {
    const label = random.chance(30) ? [argument('label', { kind: Kind.STRING, value: `l${random.below(1e6)}` })] : [];
    const dice = random.below(100);
    isConditional ||= dice < 10;
    const condition: ValueNode =
      dice < 10
        ? { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: CONDITION } }
        : { kind: Kind.BOOLEAN, value: dice > 15 };
    return {
      kind: Kind.DIRECTIVE,
      name: { kind: Kind.NAME, value: 'defer' },
      arguments: [...label, ...(dice < 40 ? [argument('if', condition)] : [])],
    };
  };
  const isRefused = () => info.getParentType() === schema.getMutationType();
  const defer = <Node extends SelectionNode>(node: Node): Node | undefined =>
    !isRefused() && random.chance(30) ? { ...node, directives: [...(node.directives ?? []), directive()] } : undefined;
  const wrap = (set: SelectionSetNode): SelectionSetNode | undefined => {
    if (isRefused() || !random.chance(20)) return undefined;
    const from = random.below(set.selections.length);
    const inner = set.selections.slice(from, from + 1 + random.below(3));
    const fragment: InlineFragmentNode = {
      kind: Kind.INLINE_FRAGMENT,
      directives: [directive()],
      selectionSet: { kind: Kind.SELECTION_SET, selections: inner },
    };
    return {
      ...set,
      selections: [...set.selections.slice(0, from), fragment, ...set.selections.slice(from + inner.length)],
    };
  };
  const deferred = visit(
    request.document,
    visitWithTypeInfo(info, {
      InlineFragment: { leave: defer },
      FragmentSpread: { leave: defer },
      SelectionSet: { leave: wrap },
    }),
  );
  if (!isConditional) return { ...request, document: deferred };
  const document = visit(deferred, {
    OperationDefinition: (node) => ({
      ...node,
      variableDefinitions: [...(node.variableDefinitions ?? []), DEFINITION],
    }),
  });
  return { ...request, document, variables: { ...request.variables, [CONDITION]: random.chance(60) } };
}

const DEFINITION = {
  kind: Kind.VARIABLE_DEFINITION,
  variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: CONDITION } },
  type: { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'Boolean' } } },
} as const;

function argument(name: string, value: ValueNode): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value };
}
