import { isLeafType, isListType, isNonNullType, isObjectType, type GraphQLOutputType } from 'graphql';
import { originalName } from './aliases.js';
import type { Completion } from './completion.js';
import type { Data } from './execution.js';
import type { GuardedSet, Parent, ResponseField } from './fields.js';
import type { Format } from './format.js';

/** Writes an object in the shape of the response. Returns undefined when its null moves to the parent. */
export type Write = (value: Data, completion: Completion) => unknown;

/** Compiles selections on an object type, an interface or a union. */
export type CompileSelections = (type: GraphQLOutputType, sets: readonly GuardedSet[]) => Write;

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
 * only. In the source, `value` is the object, `completion` the state of the pass, and `result` what has been written.
 */
export class ObjectWriter {
  /** What the source calls, by the names `f0`, `f1`, … */
  private readonly callees: unknown[] = [];

  constructor(
    private readonly type: Parent,
    private readonly format: Format,
    private readonly compileSelections: CompileSelections,
  ) {}

  compile(fields: readonly ResponseField[]): Write {
    const isGuarded = fields.some(({ guard }) => guard !== '');
    const keys = fields.map(({ key }) => originalName(key));
    const statements = fields.map((field, at) => this.field(field, isGuarded ? undefined : at));
    const source = `
      return (value, completion) => {
        if (typeof value !== 'object') return completion.invalid(${JSON.stringify(this.type.name)});
        const { values, path } = completion;
        let result = ${this.format.emptyObject(isGuarded ? [] : keys)};
        ${statements.join('\n')}
        return ${this.format.endObject};
      };`;
    const names = this.callees.map((_, index) => `f${index}`);
    // oxlint-disable-next-line typescript/no-implied-eval -- unrolled fields are several times faster than closures
    return new Function(...names, source)(...this.callees) as Write;
  }

  /** @param at the number of fields before it; undefined if they may be missing */
  private field(field: ResponseField, at: number | undefined): string {
    const key = originalName(field.key);
    const code = `{ let v0; ${this.assignField(field, JSON.stringify(key))}
      if (v0 === undefined) return undefined;
      ${this.format.addField(key, 'v0', at)} }`;
    return field.guard === '' ? code : `if (${field.guard}) ${code}`;
  }

  private assignField(field: ResponseField, key: string): string {
    const { name } = field;
    const label = JSON.stringify(`${this.type.name}.${name}`);
    // The name of an interface is no type of an object: it is a fault of the subgraph.
    if (name === '__typename')
      return `v0 = ${isObjectType(this.type) ? this.format.constant(this.type.name) : `completion.invalid(${label}, ${key})`};`;
    if (name.startsWith('__')) return `v0 = ${this.format.json(`completion.introspection(${key})`)};`;
    const definition = this.type.getFields()[name];
    if (!definition) throw new Error(`the type ${this.type.name} has no field ${name}`);
    return `const s0 = ${read(field.key)}; ${this.assign(definition.type, { field, key, label, depth: 0 })}`;
  }

  private assign(type: GraphQLOutputType, place: Place): string {
    const [source, result] = [`s${place.depth}`, `v${place.depth}`];
    if (isNonNullType(type))
      return `if (${source} == null) ${result} = completion.nonNull(value, ${argumentsOf(place)});
        else { ${this.assignValue(type.ofType, place)} }`;
    return `if (${source} == null) ${result} = ${this.format.null};
      else { ${this.assignValue(type, place)} if (${result} === undefined) ${result} = ${this.format.null}; }`;
  }

  private assignValue(type: GraphQLOutputType, place: Place): string {
    const [source, result] = [`s${place.depth}`, `v${place.depth}`];
    if (isListType(type)) return this.assignList(type.ofType, place);
    if (isLeafType(type))
      return `${result} = ${this.callee(this.format.leaf(type))}(${source});
        if (${result} === undefined) completion.invalid(${argumentsOf(place)});`;
    const write = this.callee(this.compileSelections(type, place.field.sets));
    return below(place, `${result} = ${write}(${source}, completion);`);
  }

  private assignList(itemType: GraphQLOutputType, place: Place): string {
    const { depth } = place;
    const [source, list, index, inner] = [`s${depth}`, `l${depth}`, `i${depth}`, depth + 1];
    const loop = `let ${list} = ${this.format.emptyList}; const last = path.push(0) - 1;
      for (let ${index} = 0; ${index} < ${source}.length; ${index}++) {
        const s${inner} = ${source}[${index}]; let v${inner}; path[last] = ${index};
        ${this.assign(itemType, { ...place, depth: inner })}
        if (v${inner} === undefined) { ${list} = undefined; break; }
        ${this.format.addItem(list, `v${inner}`, index)}
      }
      path.pop();
      v${depth} = ${list} === undefined ? undefined : ${this.format.endList(list)};`;
    return `if (!Array.isArray(${source})) v${depth} = completion.invalid(${argumentsOf(place)});
      else { ${below(place, loop)} }`;
  }

  private callee(called: unknown): string {
    return `f${this.callees.push(called) - 1}`;
  }
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
