import { Kind, parse, type FieldDefinitionNode, type ObjectTypeDefinitionNode, type TypeNode } from 'graphql';
import { readFileSync } from 'node:fs';

const { definitions } = parse(readFileSync('schema/supergraph.graphql', 'utf8'));
const objects = definitions.filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION);
const abstract = definitions.filter(
  ({ kind }) => kind === Kind.INTERFACE_TYPE_DEFINITION || kind === Kind.UNION_TYPE_DEFINITION,
);

/** The types of the graph that have a key: objects which several subgraphs know. */
export const ENTITIES: readonly string[] = objects.filter(isEntity).map(({ name }) => name.value);

function isEntity({ directives = [] }: ObjectTypeDefinitionNode): boolean {
  return directives.some((directive) => directive.arguments?.some(({ name }) => name.value === 'key'));
}

/** Selects every field of a type: of entities only the name of the type, of lists with an argument for it one row. */
function everyField(type: string): string {
  const fields = objects.find(({ name }) => name.value === type)?.fields ?? [];
  return fields.filter(isAccessible).map(selected).join(' ');
}

function isAccessible({ directives = [] }: FieldDefinitionNode): boolean {
  return !directives.some(({ name }) => name.value === 'inaccessible');
}

function selected({ name, arguments: values = [], type }: FieldDefinitionNode): string {
  const size = values.find(({ name: { value } }) => value === 'first' || value === 'pageSize');
  return `${name.value}${size ? `(${size.name.value}: 1)` : ''} ${selectionOf(namedType(type))}`;
}

function selectionOf(type: string): string {
  const object = objects.find(({ name }) => name.value === type);
  if (object) return isEntity(object) ? '{ __typename }' : `{ ${everyField(type)} }`;
  return abstract.some((node) => 'name' in node && node.name?.value === type) ? '{ __typename }' : '';
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}

/** A list whose rows have a type. */
export interface EntityList {
  readonly type: string;
  /** The fields from the query to the rows. `COUNT` is the number of rows that an administrator asks for. */
  readonly path: string;
}

/** A list of each entity; of users one in each subgraph. */
export const LISTS: readonly EntityList[] = [
  { type: 'User', path: 'users(first: COUNT) { results' },
  { type: 'User', path: 'transactions { owner' },
  { type: 'User', path: 'vmInstances { owner' },
  { type: 'User', path: 'peers { owner' },
  { type: 'User', path: 'me { folders { owner' },
  { type: 'VmInstance', path: 'vmInstances' },
  { type: 'Peer', path: 'peers' },
  { type: 'Group', path: 'me { groups' },
  { type: 'Certificate', path: 'peers { certificate' },
  { type: 'OverlayCertificateRecord', path: 'overlayCertificates' },
  { type: 'Bucket', path: 'buckets' },
  { type: 'ModelProject', path: 'modelProjects(pageSize: COUNT)' },
  { type: 'Folder', path: 'me { folders' },
  { type: 'Transaction', path: 'transactions' },
  { type: 'StorageCharge', path: 'statement(first: 100) { lines { subject { ... on StorageCharge' },
  { type: 'StatementGroup', path: 'statementDays { days { groups' },
];

/** Returns a query for every field of the rows. */
export function queryOfList({ type, path }: EntityList, count: number): string {
  return `{ ${path.replace('COUNT', `${count}`)} { ${everyField(type)} } }${' }'.repeat(path.split('{').length - 1)}`;
}
