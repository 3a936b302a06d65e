import {
  getOperationAST,
  Kind,
  parse,
  print,
  specifiedRules,
  validate,
  visit,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import type { Request } from './executors.js';
import type { SubgraphSdl } from './facts.js';

const REMOVABLE = new Set<string>([
  Kind.FIELD,
  Kind.INLINE_FRAGMENT,
  Kind.FRAGMENT_SPREAD,
  Kind.FRAGMENT_DEFINITION,
  Kind.OPERATION_DEFINITION,
  Kind.VARIABLE_DEFINITION,
  Kind.DIRECTIVE,
  Kind.ARGUMENT,
]);
const REMOVABLE_OF_SCHEMA = new Set<string>([
  Kind.FIELD_DEFINITION,
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.UNION_TYPE_DEFINITION,
  Kind.INPUT_VALUE_DEFINITION,
  Kind.DIRECTIVE,
]);
const RULES = specifiedRules.filter(({ name }) => name !== 'NoUnusedFragmentsRule' && name !== 'NoUnusedVariablesRule');

/** Removes what the failure of a request does not need. */
export async function shrinkRequest(
  schema: GraphQLSchema,
  request: Request,
  isFailing: (request: Request) => Promise<boolean>,
): Promise<Request> {
  const holds = async (document: DocumentNode) =>
    getOperationAST(document, request.operationName) !== null &&
    validate(schema, document, RULES).length === 0 &&
    isFailing({ ...request, document });
  const document = await shrink(request.document, REMOVABLE, holds);
  const text = print(document);
  const variables = Object.entries(request.variables).filter(([name]) => text.includes(`$${name}:`));
  return { ...request, document, variables: Object.fromEntries(variables) };
}

/** Removes what the failure does not need from each subgraph. */
export async function shrinkSubgraphs(
  sources: readonly SubgraphSdl[],
  isFailing: (sources: readonly SubgraphSdl[]) => Promise<boolean>,
): Promise<readonly SubgraphSdl[]> {
  let best = sources;
  for (const { name } of sources) {
    const fewer = best.filter((source) => source.name !== name);
    if (fewer.length > 0 && (await isFailing(fewer))) best = fewer;
  }
  for (const { name, sdl } of best) {
    const replaced = (document: DocumentNode) =>
      best.map((source) => (source.name === name ? { name, sdl: print(document) } : source));
    best = replaced(await shrink(parse(sdl), REMOVABLE_OF_SCHEMA, (document) => isFailing(replaced(document))));
  }
  return best;
}

/** Removes one node after the other while the document still holds, until no node can go. */
async function shrink(
  document: DocumentNode,
  removable: ReadonlySet<string>,
  holds: (document: DocumentNode) => Promise<boolean>,
): Promise<DocumentNode> {
  let best = document;
  for (let i = 0; ;) {
    const smaller = without(best, removable, i);
    if (smaller === undefined) return best === document ? best : shrink(best, removable, holds);
    if (await holds(smaller).catch(() => false)) best = smaller;
    else i++;
  }
}

/** Returns the document without its removable node of this number; undefined when there are fewer. */
function without(document: DocumentNode, removable: ReadonlySet<string>, number: number): DocumentNode | undefined {
  let count = 0;
  const result: DocumentNode = visit(document, {
    // The defaults of an input type differ when only some subgraphs have a field of it.
    InputObjectTypeDefinition: () => false,
    enter: (node: ASTNode) => (removable.has(node.kind) && count++ === number ? null : undefined),
  });
  return count > number ? withoutEmpty(result) : undefined;
}

/** A selection without fields is no selection. */
function withoutEmpty(document: DocumentNode): DocumentNode {
  return visit(document, {
    leave: (node: ASTNode) => ('selectionSet' in node && node.selectionSet?.selections.length === 0 ? null : undefined),
  });
}
