import { beforeEach, describe, expect, it } from '@jest/globals';
import { parse, validate } from 'graphql';
import { documentReader } from '../../../gateway/graphql/documents/read-document.js';
import { FIRST, openBookEngine, requests } from '../../kit/graph/book-graph.js';
import { mergeParts } from '../../kit/federation/parts.js';
import type { Json } from '../../kit/platform.js';

const engine = openBookEngine();
const CONTEXT = { viewer: { kind: 'anonymous' }, requestId: 'tests' } as const;

/** Executes an operation in parts and returns their JSON. */
async function ask(text: string, variables: Json = {}): Promise<Json[]> {
  const document = parse(text);
  expect(validate(engine.schema, document)).toEqual([]);
  const parts = [];
  for await (const part of engine.executeInParts(engine.plan(document), variables, CONTEXT)) parts.push(part);
  expect(mergeParts(parts).problem).toBeUndefined();
  return JSON.parse(JSON.stringify(parts));
}

beforeEach(() => {
  requests.length = 0;
});

describe('a deferred fragment', () => {
  it('comes after the rest, on each of its objects', async () => {
    expect(await ask('{ books { id ... @defer(label: "more") { reviews { text } } } }')).toEqual([
      { data: { books: [{ id: '1' }, { id: '2' }] }, hasNext: true },
      {
        incremental: ['1', '2'].map((id, index) => ({
          data: { reviews: [{ text: `of ${id}` }] },
          path: ['books', index],
          label: 'more',
        })),
        hasNext: false,
      },
    ]);
  });

  it('is fetched after the first part is answered', async () => {
    const planned = engine.plan(parse('{ first { id ... @defer { stars } } }'));
    const parts = engine.executeInParts(planned, {}, CONTEXT);
    expect((await parts.next()).value).toEqual({ data: { first: { id: '1' } }, hasNext: true });
    expect(requests.map(({ query }) => query.includes('stars'))).toContain(false);
    expect((await parts.next()).value).toEqual({
      incremental: [{ data: { stars: 4 }, path: ['first'] }],
      hasNext: false,
    });
  });

  it('is deferred where the condition is null or not given, also after it was false', async () => {
    const text = 'query ($on: Boolean) { first { id ... @defer(if: $on) { stars } } }';
    const planned = engine.plan(parse(text));
    const count = async (variables: Json) => {
      const parts = [];
      for await (const part of engine.executeInParts(planned, variables, CONTEXT)) parts.push(part);
      return parts.length;
    };
    const counts = [await count({ on: false }), await count({}), await count({ on: null }), await count({ on: true })];
    expect(counts).toEqual([1, 2, 2, 2]);
  });

  it.each([
    ['if: false', {}, 1],
    ['if: true', {}, 2],
    ['if: $on', { on: false }, 1],
    ['if: $on', { on: true }, 2],
  ])('can be switched by a condition: %s with %j', async (argument, variables, count) => {
    const declared = 'on' in variables ? '($on: Boolean!)' : '';
    const parts = await ask(`query ${declared} { first { id ... @defer(${argument}) { stars } } }`, variables);
    expect(parts).toHaveLength(count);
    expect(mergeParts(parts as never).data).toEqual({ first: { id: '1', stars: 4 } });
  });

  it('can be inside another one, and in a fragment that is used twice', async () => {
    const parts = await ask(`{ first { ...F @defer(label: "a") } pair { ...F @defer(label: "b") } }
      fragment F on Book { title ... @defer(label: "c") { reviews { text } } }`);
    expect(parts[0]).toEqual({ data: { first: {}, pair: [{}, {}] }, hasNext: true });
    const labels = parts
      .slice(1)
      .flatMap(({ incremental }) => incremental.map(({ label, path }: Json) => [label, path]));
    expect(labels.map(([label]) => String(label)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'a',
      'b',
      'b',
      'c',
      'c',
      'c',
    ]);
    const second = { title: 'Bob', reviews: [{ text: 'of 2' }] };
    expect(mergeParts(parts as never).data).toEqual({
      first: { title: FIRST.title, reviews: [{ text: 'of 1' }] },
      pair: [second, second],
    });
  });

  it('can be at the root, on one type of a union, and in the answer to a mutation', async () => {
    const [root, rest] = await ask('{ ... @defer { stars __schema { queryType { name } } } }');
    expect([root, rest.incremental]).toEqual([
      { data: {}, hasNext: true },
      [{ data: { stars: 5, __schema: { queryType: { name: 'Query' } } }, path: [] }],
    ]);
    const [, union] = await ask('{ twice { __typename ... on Book @defer { reviews { text } } } }');
    expect(union.incremental.map(({ path }: Json) => path[1])).toEqual([0, 3]);
    const [first, later] = await ask('mutation { add(title: "x") { id ... @defer { stars } } }');
    expect([first.data, later.incremental[0].data]).toEqual([{ add: { id: '1' } }, { stars: 4 }]);
  });

  it('is null when it fails, with its error, and nothing else is', async () => {
    const [first, rest] = await ask('{ books { title ... @defer { stars } } }');
    expect(first).toEqual({ data: { books: [{ title: FIRST.title }, { title: 'Bob' }] }, hasNext: true });
    expect(rest.incremental).toMatchObject([
      { data: { stars: 4 }, path: ['books', 0] },
      { data: null, path: ['books', 1], errors: [{ message: 'no stars', path: ['books', 1, 'stars'] }] },
    ]);
  });

  it('reports no error that the answer around it has reported, where it selects the field again', async () => {
    const text = `{ books { id ... @defer { stars ... @defer { stars reviews { text } } } }
      pair { id ... @defer { best { text } ... @defer { best { text } stars } } } }`;
    const errors = mergeParts((await ask(text)) as never).errors.map(({ path }) => path?.join('.') ?? '');
    expect(errors.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'books.1.stars',
      'pair.0.best.text',
      'pair.0.stars',
      'pair.1.best.text',
      'pair.1.stars',
    ]);
  });

  it('is left out where its object is null', async () => {
    const [only, ...others] = await ask('{ gone { stars ... @defer { reviews { text } } } }');
    expect([only.data, others]).toEqual([{ gone: null }, []]);
  });

  it('is part of the one answer without parts', async () => {
    const text = '{ first { id ... @defer { stars } } }';
    expect(await engine.execute(engine.plan(parse(text)), {}, CONTEXT)).toEqual({
      data: { first: { id: '1', stars: 4 } },
    });
  });
});

describe('a document with @defer', () => {
  const read = documentReader(engine.schema, { isLimited: true });

  it.each([
    ['mutation { ... @defer { add(title: "x") { id } } }', 'fields of `Mutation`'],
    ['{ first { ... @defer(label: "a") { id } ... @defer(label: "a") { title } } }', 'used again'],
    ['query ($l: String) { first { ... @defer(label: $l) { id } } }', 'cannot be a variable'],
    ['{ first { id @defer } }', 'may not be used on FIELD'],
  ])('is refused: %s', (text, message) => {
    expect(JSON.stringify(read(text))).toContain(message);
  });
});
