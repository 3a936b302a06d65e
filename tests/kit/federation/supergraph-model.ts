/** A field of a type, in all subgraphs. */
export interface FieldModel {
  readonly name: string;
  readonly type: string;
  readonly args: string;
  /** The subgraphs that resolve it. */
  readonly owners: readonly string[];
  isShareable: boolean;
  /** The subgraphs that declare it as external. */
  readonly external: Set<string>;
  /** `@requires` and so on, by subgraph. */
  readonly directives: Map<string, string>;
  /** The subgraph that resolved it before. */
  overridden: string | undefined;
}

/** An object type, in all subgraphs. */
export interface TypeModel {
  readonly kind: 'value' | 'entity' | 'root';
  readonly name: string;
  readonly subgraphs: readonly string[];
  readonly keys: Map<string, readonly string[]>;
  /** The subgraphs that cannot be asked for it. */
  readonly unresolvable: Set<string>;
  readonly interfaces: { readonly name: string; readonly subgraphs: readonly string[] }[];
  readonly fields: FieldModel[];
}

/** A union or an interface. Its members differ between subgraphs. */
interface AbstractModel {
  readonly kind: 'union' | 'interface';
  readonly name: string;
  readonly members: ReadonlyMap<string, readonly string[]>;
}

interface InterfaceObjectModel {
  readonly name: string;
  readonly owner: string;
  readonly extender: string;
  readonly members: readonly string[];
  readonly fields: readonly FieldModel[];
}

/** All subgraphs of a random supergraph. */
export interface SupergraphModel {
  readonly subgraphs: readonly string[];
  readonly types: TypeModel[];
  readonly abstracts: AbstractModel[];
  interfaceObject: InterfaceObjectModel | undefined;
}

/** The name of the one interface object. */
export const INTERFACE_OBJECT = 'Node';

const HEADER = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@requires", "@provides",
  "@external", "@shareable", "@override", "@interfaceObject", "@inaccessible"])
scalar Json
enum Color { RED GREEN BLUE }
input Filter { x: Int = 3 names: [String!] color: Color = BLUE inner: Filter any: Json }
`;

/** The fields of each key. */
const KEY_FIELDS: Readonly<Record<string, readonly string[]>> = {
  id: ['id: ID!'],
  sku: ['sku: String!'],
  'org number': ['org: ID!', 'number: Int!'],
  'tag { code }': ['tag: Tag!'],
  'id tag { kind }': ['id: ID!', 'tag: Tag!'],
  num: ['num: Int!'],
};

/** Returns the SDL of one subgraph. */
export function sdlOf(model: SupergraphModel, subgraph: string): string {
  const parts = model.types
    .filter((type) => type.subgraphs.includes(subgraph))
    .map((type) => objectSdl(type, subgraph));
  for (const { kind, name, members } of model.abstracts) {
    const known = members.get(subgraph);
    if (known && kind === 'union') parts.push(`union ${name} = ${known.join(' | ')}`);
    if (known && kind === 'interface') parts.push(`interface ${name} { label: ${labelType(model)} }`);
  }
  parts.push(...interfaceObjectSdl(model, subgraph));
  if (parts.some((part) => part.includes('tag: Tag!'))) parts.push('type Tag @shareable { code: String! kind: ID! }');
  return `${HEADER}${parts.join('\n')}\n`;
}

function labelType({ types }: SupergraphModel): string {
  return types.flatMap(({ fields }) => fields).find(({ name }) => name === 'label')?.type ?? 'String';
}

function objectSdl(type: TypeModel, subgraph: string): string {
  const keys = type.keys.get(subgraph) ?? [];
  const resolvable = type.unresolvable.has(subgraph) ? ', resolvable: false' : '';
  const header = [
    `type ${type.name}`,
    ...interfacesSdl(type, subgraph),
    ...keys.map((key) => `@key(fields: "${key}"${resolvable})`),
    ...(type.kind === 'value' ? ['@shareable'] : []),
  ];
  const fields = [
    ...new Set(keys.flatMap((key) => KEY_FIELDS[key] ?? [])),
    ...type.fields.flatMap((field) => fieldSdl(field, subgraph, type.kind === 'value')),
  ];
  return `${header.join(' ')} {\n${fields.map((field) => `  ${field}\n`).join('')}}`;
}

function interfacesSdl({ interfaces }: TypeModel, subgraph: string): string[] {
  const names = interfaces.filter(({ subgraphs }) => subgraphs.includes(subgraph)).map(({ name }) => name);
  return names.length > 0 ? [`implements ${names.join(' & ')}`] : [];
}

function fieldSdl(field: FieldModel, subgraph: string, isOfValue: boolean): string[] {
  const { name, args, type, owners, isShareable, overridden } = field;
  const signature = `${name}${args}: ${type}`;
  if (overridden === subgraph) return [signature];
  if (field.external.has(subgraph)) return [`${signature} @external`];
  if (!owners.includes(subgraph)) return [];
  const override = overridden === undefined ? '' : ` @override(from: "${overridden}")`;
  const directive = field.directives.get(subgraph);
  return [
    `${signature}${directive === undefined ? '' : ` ${directive}`}${isShareable && !isOfValue ? ' @shareable' : ''}${override}`,
  ];
}

function interfaceObjectSdl({ interfaceObject: node }: SupergraphModel, subgraph: string): string[] {
  if (node?.owner === subgraph) return [`interface ${node.name} @key(fields: "id") { id: ID! title: String }`];
  if (node?.extender !== subgraph) return [];
  const fields = node.fields.flatMap((field) => fieldSdl(field, subgraph, false));
  return [
    `type ${node.name} @key(fields: "id") @interfaceObject {\n  id: ID!\n${fields.map((field) => `  ${field}\n`).join('')}}`,
  ];
}
