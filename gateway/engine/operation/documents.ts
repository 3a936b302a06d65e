import {
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
} from 'graphql';
import { badRequest } from '../../../kernel/errors.js';

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
  if (!operation || others.length > 0)
    throw badRequest('`operationName` must select exactly one operation of the document.');
  return { operation, fragments };
}

/** Whether graphql-js answers the field itself: the planner refuses newer introspection fields, such as `isOneOf`. */
export function isIntrospection({ name }: FieldNode): boolean {
  return name.value === '__schema' || name.value === '__type';
}
