import {
  getNamedType,
  getNullableType,
  getOperationAST,
  isEnumType,
  isListType,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';

/** Limits of the cache of compiled operations: their number, and the bytes that they are estimated to hold. */
const CACHE_LIMITS = { max: 2_000, maxSize: 64 * 1024 * 1024 } as const;

/**
 * Bytes of a compiled operation: by itself, for each object and each leaf that it selects, where fragments count at each use. An
 * upper estimate, measured as growth of the heap: from 7 KB of `{ one { id } }` to 2.9 MB of sixty uses of a fragment of fifty.
 */
const BYTES = { operation: 5_000, object: 7_000, leaf: 1_100 } as const;

/** A compiled operation. */
export interface Compiled {
  readonly document: DocumentNode;
  readonly query: CompiledQuery['query'];
  readonly type: OperationTypeNode | undefined;
  /** Whether it selects a list, apart from that of the entities of a request and from lists of names, such as roles. */
  readonly selectsLists: boolean;
}

/** An LRU cache of the operations that a schema has compiled, by text. */
export class CompiledOperations {
  private readonly compiled: LRUCache<string, Compiled>;

  constructor(
    private readonly schema: GraphQLSchema,
    limits: { readonly max: number; readonly maxSize: number } = CACHE_LIMITS,
  ) {
    this.compiled = new LRUCache(limits);
  }

  /** Returns the compiled operation, from the cache or new. @throws for an invalid document */
  of(text: string): Compiled {
    const known = this.compiled.get(text);
    if (known) return known;
    const document = parse(text, { noLocation: true });
    const compiled = compileQuery(this.schema, document);
    if (!isCompiledQuery(compiled)) throw compiled.errors?.[0] ?? new Error('an operation does not compile');
    const entry = {
      document,
      query: compiled.query,
      type: getOperationAST(document)?.operation,
      selectsLists: selectsLists(this.schema, document),
    };
    this.compiled.set(text, entry, { size: 2 * text.length + compiledBytes(document) });
    return entry;
  }
}

function selectsLists(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let isSelected = false;
  const enter = ({ name }: FieldNode) => {
    const type = types.getType();
    const isShort = name.value === '_entities' || isEnumType(getNamedType(type));
    if (!isShort && isListType(getNullableType(type))) isSelected = true;
  };
  visit(document, visitWithTypeInfo(types, { Field: { enter } }));
  return isSelected;
}

/** Estimates the memory of an operation that graphql-jit compiled. */
export function compiledBytes({ definitions }: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const sizes = new Map<string, number>();
  const sizeOfFragment = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    sizes.set(name, 0);
    const size = sizeOf(fragments.get(name)?.selectionSet);
    sizes.set(name, size);
    return size;
  };
  const sizeOf = (set: SelectionSetNode | undefined): number =>
    (set?.selections ?? []).reduce((sum, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return sum + sizeOfFragment(selection.name.value);
      const own = selection.kind === Kind.INLINE_FRAGMENT ? 0 : selection.selectionSet ? BYTES.object : BYTES.leaf;
      return sum + own + sizeOf(selection.selectionSet);
    }, 0);
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return operations.reduce<number>((sum, { selectionSet }) => sum + sizeOf(selectionSet), BYTES.operation);
}
