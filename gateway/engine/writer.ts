import {
  isAbstractType,
  isInterfaceType,
  isObjectType,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import type { Completion } from './completion.js';
import type { Data } from './execution.js';
import { FieldCollector, type GuardedSet, type Parent } from './fields.js';
import type { Format } from './format.js';
import { ObjectWriter, type Write } from './object-writer.js';

/**
 * Compiles selections into functions that check the merged data and write the response in one pass. An error at a field
 * becomes null at the nearest nullable parent. Source: GraphQL, Handling Execution Errors
 */
export class WriterCompiler {
  private readonly collector: FieldCollector;

  constructor(
    private readonly schema: GraphQLSchema,
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly format: Format,
  ) {
    this.collector = new FieldCollector(schema, fragments);
  }

  /** Compiles the selections on objects of one type. */
  compile(type: Parent, sets: readonly GuardedSet[]): Write {
    const writer = new ObjectWriter(type, this.format, this.compileSelections);
    return writer.compile(this.collector.collect(type, sets));
  }

  private readonly compileSelections = (type: GraphQLOutputType, sets: readonly GuardedSet[]): Write => {
    if (isObjectType(type)) return this.compile(type, sets);
    if (isAbstractType(type)) return this.compileAbstract(type, sets);
    throw new Error(`the type ${String(type)} has no fields`);
  };

  /** Each type of object is compiled when it occurs first. */
  private compileAbstract(type: GraphQLAbstractType, sets: readonly GuardedSet[]): Write {
    const known = new Map<unknown, Write>();
    const compileFor = (typename: unknown): Write => {
      const found = typeof typename === 'string' ? this.schema.getType(typename) : type;
      const isKnown = isObjectType(found) || isInterfaceType(found);
      const write = isKnown ? this.compile(found, sets) : refuse(`${type.name}.__typename`);
      if (isKnown) known.set(typename, write);
      return write;
    };
    return (value, completion) => {
      const { __typename } = value;
      return (known.get(__typename) ?? compileFor(__typename))(value, completion);
    };
  }
}

function refuse(field: string): Write {
  return (_value: Data, completion: Completion) => completion.invalid(field);
}
