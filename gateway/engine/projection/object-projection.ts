import {
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from 'graphql';
import { isJsonNumber } from '../../../kernel/scalars/exact-json.js';
import { originalName } from '../operation/aliases.js';
import type { DeferredProjection, Project } from './completion.js';
import type { Parent, ResponseField } from '../operation/fields.js';
import { leafOf } from './leaves.js';

/** Compiles selections on an object type, an interface or a union. */
export type CompileSelections = (type: GraphQLOutputType, sets: readonly SelectionSetNode[]) => Project;

/** The place of a value: `s0` in the compiled code, `s1` for an item of a list, and so on. Results are `v0`, `v1`, … */
interface Place {
  readonly field: ResponseField;
  /** The key in the response, as a literal. */
  readonly key: string;
  /** The field as errors name it, as a literal. */
  readonly label: string;
  /** How many lists are around the value. */
  readonly depth: number;
}

/**
 * Compiles the fields of one type to one function, by JavaScript source. Names of clients occur in it as JSON literals
 * only. In the source, `value` is the object, `completion` the state of the pass, and `result` the projection.
 */
export class ObjectProjection {
  /** What the source calls, by the names `f0`, `f1`, … */
  private readonly callees: unknown[] = [];

  constructor(
    private readonly type: Parent,
    private readonly compileSelections: CompileSelections,
  ) {}

  /** @param deferred the fragments that are answered after these fields */
  compile(fields: readonly ResponseField[], deferred: readonly DeferredProjection[]): Project {
    const keys = fields.map(({ key }) => originalName(key));
    const statements = [
      ...fields.map((field) => this.field(field)),
      ...deferred.map((fragment) => `completion.defer(${this.callee(fragment)}, value);`),
    ];
    const source = `
      return (value, completion) => {
        if (typeof value !== 'object' || (value.rawJSON !== undefined && ${this.callee(isJsonNumber)}(value)))
          return completion.invalid(${JSON.stringify(this.type.name)});
        const { path } = completion;
        let characters = ${keys.join('').length};
        const result = ${emptyObject(keys)};
        ${statements.join('\n')}
        completion.characters += characters;
        return result;
      };`;
    const names = this.callees.map((_, index) => `f${index}`);
    // oxlint-disable-next-line typescript/no-implied-eval -- unrolled fields are several times faster than closures
    return new Function(...names, source)(...this.callees) as Project;
  }

  private field(field: ResponseField): string {
    const key = originalName(field.key);
    return `{ let v0; ${this.assignField(field, JSON.stringify(key))}
      if (v0 === undefined) return undefined;
      ${assignTo(key, 'v0')} }`;
  }

  private assignField(field: ResponseField, key: string): string {
    const { name } = field;
    const label = JSON.stringify(`${this.type.name}.${name}`);
    // The name of an interface is no type of an object: the fetch of the type failed.
    if (name === '__typename')
      return `v0 = ${isObjectType(this.type) ? JSON.stringify(this.type.name) : `completion.nonNull(${label}, ${key})`};`;
    if (name.startsWith('__')) return `v0 = completion.introspection(${key});`;
    const definition = this.type.getFields()[name];
    if (!definition) throw new Error(`the type ${this.type.name} has no field ${name}`);
    return `const s0 = ${read(field.key)}; ${this.assign(definition.type, { field, key, label, depth: 0 })}`;
  }

  private assign(type: GraphQLOutputType, place: Place): string {
    const [source, result] = [`s${place.depth}`, `v${place.depth}`];
    if (isNonNullType(type))
      return `if (${source} == null) ${result} = completion.nonNull(${argumentsOf(place)});
        else { ${this.assignValue(type.ofType, place)} }`;
    return `if (${source} == null) ${result} = null;
      else { ${this.assignValue(type, place)} if (${result} === undefined) ${result} = null; }`;
  }

  private assignValue(type: GraphQLOutputType, place: Place): string {
    const [source, result] = [`s${place.depth}`, `v${place.depth}`];
    if (isListType(type)) return this.assignList(type.ofType, place);
    if (isLeafType(type))
      return `${result} = ${this.callee(leafOf(type))}(${source});
        if (${result} === undefined) completion.invalid(${argumentsOf(place)});
        else if (typeof ${result} === 'string') characters += ${result}.length;`;
    const project = this.callee(this.compileSelections(type, setsOf(place.field)));
    return below(place, `${result} = ${project}(${source}, completion);`);
  }

  private assignList(itemType: GraphQLOutputType, place: Place): string {
    const { depth } = place;
    const [source, list, index, inner] = [`s${depth}`, `l${depth}`, `i${depth}`, depth + 1];
    const loop = `let ${list} = []; const last = path.push(0) - 1;
      for (let ${index} = 0; ${index} < ${source}.length; ${index}++) {
        const s${inner} = ${source}[${index}]; let v${inner}; path[last] = ${index};
        ${this.assign(itemType, { ...place, depth: inner })}
        if (v${inner} === undefined) { ${list} = undefined; break; }
        ${list}.push(v${inner});
      }
      path.pop();
      v${depth} = ${list};`;
    return `if (!Array.isArray(${source})) v${depth} = completion.invalid(${argumentsOf(place)});
      else { ${below(place, loop)} }`;
  }

  private callee(called: unknown): string {
    return `f${this.callees.push(called) - 1}`;
  }
}

function setsOf({ nodes }: ResponseField): SelectionSetNode[] {
  return nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
}

/** Returns an expression for a field of `value`. Fields with the name of an inherited property must be own ones. */
function read(key: string): string {
  const property = `value[${JSON.stringify(key)}]`;
  return key in Object.prototype ? `(Object.hasOwn(value, ${JSON.stringify(key)}) ? ${property} : null)` : property;
}

/** Returns the arguments with which `completion` names a place. In a list the path is complete. */
function argumentsOf({ label, key, depth }: Place): string {
  return depth === 0 ? `${label}, ${key}` : label;
}

/** Adds the key to the path while the statement runs. In a list it is already there. */
function below({ key, depth }: Place, statement: string): string {
  return depth === 0 ? `path.push(${key}); ${statement} path.pop();` : statement;
}

/** An alias that cannot be assigned. */
const PROTOTYPE = '__proto__';

/** Returns an object with all its keys from the start, so that the objects of a list have one shape. */
function emptyObject(keys: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(keys.filter((key) => key !== PROTOTYPE).map((key) => [key, null])));
}

function assignTo(key: string, value: string): string {
  return key === PROTOTYPE
    ? `Object.defineProperty(result, '${PROTOTYPE}', { value: ${value}, enumerable: true });`
    : `result[${JSON.stringify(key)}] = ${value};`;
}
