import {
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { exactNumber } from './exact-numbers.js';

/** Gives the data of an operation the form of its answer, in place: the data belongs to one request. */
export type Projection = (data: object) => void;

interface Operation {
  readonly schema: GraphQLSchema;
  /** The operation and the fragments that it uses. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

interface SelectedField {
  /** The name in the data. */
  readonly key: string;
  readonly typeName: string;
  readonly below: readonly SelectedField[];
}

/**
 * Compiles the projection of an operation, so that a request visits only the fields that change. Leaves out the fields of
 * `omitNull` that are null, and writes UInt64 as exact numbers. @param omitNull names of fields, at any depth
 */
export function compileProjection(source: Operation, omitNull: readonly string[]): Projection {
  const root = source.schema.getRootType(source.operation.operation);
  if (!root) return () => undefined;
  const fields = selectedFields(source, source.operation.selectionSet, root.name);
  const steps = stepsOf(fields, new Set(fields.some(isPage) ? [] : omitNull));
  return (data) => runSteps(steps, data as Record<string, unknown>);
}

/** Pages keep their null fields. */
function isPage({ below }: SelectedField): boolean {
  return ['count', 'page_size', 'results'].every((name) => below.some(({ key }) => key === name));
}

function selectedFields(source: Operation, { selections }: SelectionSetNode, typeName: string): SelectedField[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return fieldOf(source, selection, typeName);
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragmentOf(source, selection.name.value);
    return selectedFields(source, fragment.selectionSet, fragment.typeCondition?.name.value ?? typeName);
  });
}

function fragmentOf({ document }: Operation, name: string) {
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION && node.name.value === name) return node;
  throw new Error(`there is no fragment ${name}`);
}

function fieldOf(source: Operation, { name, alias, selectionSet }: FieldNode, parentName: string): SelectedField[] {
  const parent = source.schema.getType(parentName);
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name.value] : undefined;
  if (!field) return [];
  const typeName = getNamedType(field.type).name;
  const below = selectionSet ? selectedFields(source, selectionSet, typeName) : [];
  return [{ key: (alias ?? name).value, typeName, below }];
}

type Step = (record: Record<string, unknown>) => void;

function stepsOf(fields: readonly SelectedField[], omitted: ReadonlySet<string>): Step[] {
  return fields.flatMap(({ key, typeName, below }) => {
    const steps: Step[] = [];
    if (typeName === 'UInt64') steps.push((record) => void (record[key] = exactNumber(record[key])));
    const inner = stepsOf(below, omitted);
    if (inner.length > 0) steps.push((record) => visit(inner, record[key]));
    if (omitted.has(key)) steps.push((record) => leaveOutNull(record, key));
    return steps;
  });
}

function visit(steps: readonly Step[], value: unknown): void {
  if (Array.isArray(value)) for (const item of value) visit(steps, item);
  else if (typeof value === 'object' && value !== null) runSteps(steps, value as Record<string, unknown>);
}

function runSteps(steps: readonly Step[], record: Record<string, unknown>): void {
  for (const step of steps) step(record);
}

/** JSON has no undefined fields. Deleting the field or copying the record takes several times as long. */
function leaveOutNull(record: Record<string, unknown>, key: string): void {
  if (record[key] === null) record[key] = undefined;
}
