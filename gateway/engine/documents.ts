import {
  Kind,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { badRequest } from '../../kernel/errors.js';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** One operation of a document, with all fragments. */
export interface SelectedOperation {
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
}

/** Selects the operation to execute. @throws BAD_REQUEST when the document and the name do not select one */
export function selectOperation({ definitions }: DocumentNode, operationName: string | undefined): SelectedOperation {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION && (!operationName || definition.name?.value === operationName))
      operations.push(definition);
  }
  const [operation, ...others] = operations;
  if (!operation || others.length > 0) throw badRequest('Name one of the operations in the document.');
  return { operation, fragments };
}

/** Whether graphql-js answers the field. The planner refuses newer fields below it, such as `isOneOf`. */
export function isIntrospection({ name }: FieldNode): boolean {
  return name.value === '__schema' || name.value === '__type';
}

/** Whether the operation needs no subgraph. */
export function isIntrospectionOnly({ operation, fragments }: SelectedOperation): boolean {
  const isIntrospectionSet = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value.startsWith('__');
      if (selection.kind === Kind.INLINE_FRAGMENT) return isIntrospectionSet(selection.selectionSet);
      const fragment = fragments.get(selection.name.value);
      return fragment !== undefined && isIntrospectionSet(fragment.selectionSet);
    });
  return isIntrospectionSet(operation.selectionSet);
}

/** Returns the selected operation as a document for the planner, without the fields that graphql-js answers. */
export function plannableDocument({ operation, fragments }: SelectedOperation): DocumentNode {
  const definitions = [operation, ...fragments.values()].filter(
    (definition) =>
      definition.kind === Kind.OPERATION_DEFINITION || !definition.typeCondition.name.value.startsWith('__'),
  );
  const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };
  return visit(
    { kind: Kind.DOCUMENT, definitions },
    { Field: (node: FieldNode) => (isIntrospection(node) ? typename : undefined) },
  );
}
