import {
  isAbstractType,
  isInterfaceType,
  isObjectType,
  type GraphQLAbstractType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import type { Completion, Project } from './completion.js';
import type { Data } from '../execution.js';
import { deferredId } from '../operation/deferral.js';
import { FieldCollector, type Parent } from '../operation/fields.js';
import { ObjectProjection } from './object-projection.js';

/**
 * Compiles selections into functions that check the merged data and give it the shape of the response, in one pass. An
 * error at a field becomes null at the nearest nullable parent. Source: GraphQL, Handling Execution Errors
 */
export class ProjectionCompiler {
  private readonly collector: FieldCollector;

  constructor(private readonly schema: GraphQLSchema) {
    this.collector = new FieldCollector(schema, (selection) => deferredId(selection) !== undefined);
  }

  /** Compiles the selections on objects of one type. */
  compile(type: Parent, sets: readonly SelectionSetNode[]): Project {
    const projection = new ObjectProjection(type, this.compileSelections);
    const { fields, deferred } = this.collector.collect(type, sets);
    const later = deferred.map(({ selection, selectionSet }) => ({
      id: deferredId(selection) ?? 0,
      project: this.compile(type, [selectionSet]),
    }));
    return projection.compile(fields, later);
  }

  private readonly compileSelections = (type: GraphQLOutputType, sets: readonly SelectionSetNode[]): Project => {
    if (isObjectType(type)) return this.compile(type, sets);
    if (isAbstractType(type)) return this.compileAbstract(type, sets);
    throw new Error(`the type ${String(type)} has no fields`);
  };

  /** Each type of object is compiled when it occurs first. */
  private compileAbstract(type: GraphQLAbstractType, sets: readonly SelectionSetNode[]): Project {
    const known = new Map<unknown, Project>();
    const compileFor = (typename: unknown): Project => {
      const found = typeof typename === 'string' ? this.schema.getType(typename) : type;
      const isKnown = isObjectType(found) || isInterfaceType(found);
      const project = isKnown ? this.compile(found, sets) : refuse(`${type.name}.__typename`);
      if (isKnown) known.set(typename, project);
      return project;
    };
    return (value, completion) => {
      const { __typename } = value;
      return (known.get(__typename) ?? compileFor(__typename))(value, completion);
    };
  }
}

function refuse(field: string): Project {
  return (_value: Data, completion: Completion) => completion.invalid(field);
}
