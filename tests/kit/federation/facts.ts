import {
  Kind,
  parse,
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type ObjectTypeDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** One subgraph as a test gives it. */
export interface SubgraphSdl {
  readonly name: string;
  readonly sdl: string;
}

/** What the directives of a subgraph say about a field. */
export interface FieldFacts {
  readonly isExternal: boolean;
  readonly requires: SelectionSetNode | undefined;
  readonly provides: SelectionSetNode | undefined;
  /** The subgraph that no longer resolves the field. */
  readonly overrides: string | undefined;
  /** Name of the named type in this subgraph. */
  readonly typeName: string;
}

/** What the directives of a subgraph say about a type. */
export interface TypeFacts {
  readonly keys: readonly { readonly fields: SelectionSetNode; readonly isResolvable: boolean }[];
  readonly isInterfaceObject: boolean;
  readonly fields: ReadonlyMap<string, FieldFacts>;
}

/** One subgraph: its document, and the facts of each object type and interface. */
export interface SubgraphFacts {
  readonly name: string;
  readonly document: DocumentNode;
  readonly types: ReadonlyMap<string, TypeFacts>;
}

/** Reads the federation directives of a subgraph. */
export function readFacts({ name, sdl }: SubgraphSdl): SubgraphFacts {
  const document = parse(sdl, { noLocation: true });
  const types = new Map<string, TypeFacts>();
  for (const definition of document.definitions)
    if (hasFields(definition)) types.set(definition.name.value, typeFacts(definition));
  return { name, document, types };
}

function hasFields(node: DefinitionNode): node is ObjectTypeDefinitionNode {
  return node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION;
}

function typeFacts({ directives, fields }: ObjectTypeDefinitionNode): TypeFacts {
  const keys = (directives ?? []).filter(named('key')).map((directive) => ({
    fields: fieldSet(argument(directive, 'fields') ?? ''),
    isResolvable: argument(directive, 'resolvable') !== 'false',
  }));
  const isInterfaceObject = directives?.some(named('interfaceObject')) ?? false;
  const isAllExternal = directives?.some(named('external')) ?? false;
  return {
    keys,
    isInterfaceObject,
    fields: new Map((fields ?? []).map((field) => [field.name.value, fieldFacts(field, isAllExternal)])),
  };
}

function fieldFacts({ directives, type }: FieldDefinitionNode, isAllExternal: boolean): FieldFacts {
  const text = (directive: string, name: string) => {
    const found = directives?.find(named(directive));
    return found && argument(found, name);
  };
  const requires = text('requires', 'fields');
  const provides = text('provides', 'fields');
  let inner = type;
  while (inner.kind !== Kind.NAMED_TYPE) inner = inner.type;
  return {
    isExternal: isAllExternal || (directives?.some(named('external')) ?? false),
    requires: requires === undefined ? undefined : fieldSet(requires),
    provides: provides === undefined ? undefined : fieldSet(provides),
    overrides: text('override', 'from'),
    typeName: inner.name.value,
  };
}

function named(name: string) {
  return (directive: ConstDirectiveNode) => directive.name.value === name;
}

function argument(directive: ConstDirectiveNode, name: string): string | undefined {
  const value = directive.arguments?.find((node) => node.name.value === name)?.value;
  return value && 'value' in value ? String(value.value) : undefined;
}

/** Parses the fields of a directive, such as `id org { number }`. */
function fieldSet(text: string): SelectionSetNode {
  const [operation] = parse(`{${text}}`, { noLocation: true }).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`not a field set: ${text}`);
  return operation.selectionSet;
}
