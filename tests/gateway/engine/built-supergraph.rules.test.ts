import { describe, expect, it } from '@jest/globals';
import { Kind, parse, printSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { Engine } from '../../../gateway/engine/engine.js';
import {
  BUILT_SUPERGRAPH,
  readBuiltSupergraph,
  supergraphHash,
  type BuiltSupergraph,
} from '../../../gateway/engine/supergraph/built-supergraph.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import type { Supergraph } from '../../../gateway/engine/supergraph/supergraph.js';
import { parseOperations } from '../../../gateway/rest/operations.js';
import { packageRoot } from '../../../kernel/package-root.js';

const read = (file: string) => readFileSync(`${packageRoot()}/${file}`, 'utf8');
const SDL = read('schema/supergraph.graphql');
const JSON_TEXT = read(BUILT_SUPERGRAPH);
const BUILT = JSON.parse(JSON_TEXT) as BuiltSupergraph;

/** The built supergraph over an SDL that no planner can read. */
const withoutPlanner = () =>
  readBuiltSupergraph('no supergraph', JSON.stringify({ ...BUILT, hash: supergraphHash('no supergraph') }));

/** Plans each operation of a document, and returns the plans in order. */
function plansOf(supergraph: Supergraph, document: string): unknown[] {
  const plans: unknown[] = [];
  const recording = {
    ...supergraph,
    plan: (one: Parameters<Supergraph['plan']>[0]) => keep(plans, supergraph.plan(one)),
  };
  const engine = new Engine(recording, new Map());
  engine.plan(parse(document));
  return plans;
}

function keep<T>(list: unknown[], value: T): T {
  list.push(value);
  return value;
}

describe('the supergraph of a build', () => {
  it('is what the planner reads from the SDL', () => {
    const [built, whole] = [readBuiltSupergraph(SDL, JSON_TEXT), readSupergraph(SDL)];
    expect(printSchema(built.schema)).toBe(printSchema(whole.schema));
    expect(built.outline).toEqual(whole.outline);
  });

  it('plans every operation of REST, of the dashboard and of the command line without the planner', () => {
    const engine = new Engine(withoutPlanner(), new Map());
    const operations = parseOperations(read('gateway/rest/operations.graphql'));
    for (const definition of operations.definitions)
      if (definition.kind === Kind.OPERATION_DEFINITION) engine.plan(operations, definition.name?.value);
    const manifest = JSON.parse(read('dist/documents.json')) as { operations: { body: string }[] };
    for (const { body } of manifest.operations) engine.plan(parse(body));
    expect(manifest.operations.length).toBeGreaterThan(100);
  });

  it('has the plans that the planner makes', () => {
    const document = '{ me { id vmInstances { id peer { id } } } }';
    expect(plansOf(readBuiltSupergraph(SDL, JSON_TEXT), document)).toEqual(plansOf(readSupergraph(SDL), document));
  });

  it('leaves an operation that nobody built to the planner', () => {
    expect(() =>
      new Engine(withoutPlanner(), new Map()).plan(parse('{ vmFlavors { anotherName: displayName } }')),
    ).toThrow('Syntax Error');
  });

  it('is not used for another SDL', () => {
    const other = SDL.replaceAll('vmFlavors', 'vmSizes');
    expect(readBuiltSupergraph(other, JSON_TEXT).schema.getQueryType()?.getFields()).toHaveProperty('vmSizes');
  });
});
