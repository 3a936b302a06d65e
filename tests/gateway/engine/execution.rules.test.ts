import { beforeEach, describe, expect, it } from '@jest/globals';
import { parse, validate } from 'graphql';
import { BOOKS, FIRST, log, openBookEngine, requests } from '../../kit/graph/book-graph.js';
import type { Json } from '../../kit/platform.js';

const engine = openBookEngine();

/** Executes an operation and returns its JSON. */
async function ask(text: string, variables: Json = {}): Promise<Json> {
  const document = parse(text);
  expect(validate(engine.schema, document)).toEqual([]);
  const context = { viewer: { kind: 'anonymous' }, requestId: 'tests' } as const;
  return JSON.parse(JSON.stringify(await engine.execute(engine.plan(document), variables, context)));
}

const sent = (): Json[] => requests.map(({ query, variables }) => ({ query, variables }));

beforeEach(() => {
  log.length = 0;
  requests.length = 0;
});

describe('a response', () => {
  it('has the fields of the operation in its order, and nothing that the plan added', async () => {
    const { data } = await ask('{ books { reviews { text author } title } stars }');
    expect(JSON.stringify(data)).toBe(
      JSON.stringify({
        books: BOOKS.map(({ id, title }) => ({ reviews: [{ text: `of ${id}`, author: null }], title })),
        stars: 5,
      }),
    );
  });

  it('gives aliases their values, also if they are names of other fields or of prototypes', async () => {
    const text =
      '{ first { id: title title: id __typename: pages constructor: id toString: pages stars __proto__: id } }';
    const { data } = await ask(text);
    const { id, title, pages } = FIRST;
    expect(Object.entries(data.first)).toEqual(
      Object.entries({ id: title, title: id, __typename: pages, constructor: id, toString: pages, stars: 4 }).concat([
        ['__proto__', id],
      ]),
    );
  });

  it('merges selections of one field, with fragments on objects and unions', async () => {
    const text = `{ twice { __typename ... on Pen { label colour } ...B ... on Book { reviews { author } } } }
      fragment B on Book { id reviews { text } }`;
    const book = { __typename: 'Book', id: '1', reviews: [{ text: 'of 1', author: null }] };
    const pen = { __typename: 'Pen', label: 'a pen', colour: 'RED' };
    expect(await ask(text)).toEqual({ data: { twice: [book, pen, null, book] } });
  });

  it.each([
    [
      { a: true, b: true },
      { id: '1', stars: 4 },
    ],
    [{ a: true, b: false }, { id: '1' }],
    [
      { a: false, b: true },
      { title: FIRST.title, stars: 4 },
    ],
    [{ b: false }, { id: '1' }],
  ])('leaves out what @skip and @include leave out: %j', async (variables, first) => {
    const text = `query ($a: Boolean! = true, $b: Boolean!) {
      first { id @include(if: $a) ... @skip(if: $a) { title } stars @include(if: $b) pages @skip(if: true) } }`;
    expect(await ask(text, variables)).toEqual({ data: { first } });
  });

  it('is an empty object where every field is left out', async () => {
    const text = 'query ($no: Boolean!) { first { id @include(if: $no) } stars @include(if: $no) }';
    expect(await ask(text, { no: false })).toEqual({ data: { first: {} } });
    expect(await ask(text, { no: true })).toEqual({ data: { first: { id: '1' }, stars: 5 } });
  });

  it('needs only the operation that is executed', async () => {
    const document = parse(
      'query A { stars } query B($id: ID!) { ...F } fragment F on Query { node(id: $id) { __typename } }',
    );
    const context = { viewer: { kind: 'anonymous' }, requestId: 'tests' } as const;
    expect(await engine.execute(engine.plan(document, 'A'), {}, context)).toEqual({ data: { stars: 5 } });
  });

  it('has the schema beside the data', async () => {
    const text =
      '{ __typename first { id } a: __type(name: "Pen") { name fields { n: name } } __schema { queryType { name } } }';
    expect(await ask(text)).toEqual({
      data: {
        __typename: 'Query',
        first: { id: '1' },
        a: { name: 'Pen', fields: [{ n: 'colour' }, { n: 'label' }] },
        __schema: { queryType: { name: 'Query' } },
      },
    });
  });
});

describe('an error', () => {
  it('has the path of the entity, and makes the nearest nullable parent null', async () => {
    expect(await ask('{ books { title stars } }')).toMatchObject({
      data: null,
      errors: [{ message: 'no stars', path: ['books', 1, 'stars'], extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  it('stays below a nullable parent, and is no second error above it', async () => {
    const { data, errors } = await ask('{ node(id: "2") { ... on Book { id mine: stars } } stars }');
    expect(data).toEqual({ node: null, stars: 5 });
    expect(errors.map(({ path }: Json) => path)).toEqual([['node', 'mine']]);
  });

  it('is given for each place of an entity that was fetched once', async () => {
    const { errors } = await ask(
      '{ a: node(id: "2") { ... on Book { stars } } twice { ... on Book { best { text } } } }',
    );
    expect(errors.map(({ path }: Json) => path)).toEqual([['a', 'stars']]);
  });

  it('is made for null at a non-null position that has no other', async () => {
    const message = 'Cannot return null for non-nullable field Book.stars.';
    expect(await ask('{ gone { title stars } stars }')).toEqual({
      data: { gone: null, stars: 5 },
      errors: [{ message, path: ['gone', 'stars'] }],
    });
  });

  it('is made for a value that clients may not see', async () => {
    expect(await ask('{ colour stars }')).toMatchObject({
      data: { colour: null, stars: 5 },
      errors: [{ path: ['colour'] }],
    });
    expect(await ask('{ colours }')).toMatchObject({ data: null, errors: [{ path: ['colours', 1] }] });
  });
});

describe('a fetch', () => {
  it('sends each entity once', async () => {
    await ask('{ twice { ... on Book { reviews { text } } } }');
    expect(sent()[1]?.variables.representations).toEqual([{ __typename: 'Book', id: '1' }]);
  });

  it('sends what the field requires', async () => {
    expect(await ask('{ books { summary } }')).toEqual({
      data: { books: BOOKS.map(({ title, pages }) => ({ summary: `${title}: ${pages}` })) },
    });
  });

  it('sends what the field requires with its own arguments, beside those of the client', async () => {
    expect(await ask('{ books { price(currency: "EUR") cost } }')).toEqual({
      data: { books: BOOKS.map(({ price }) => ({ price: price.EUR, cost: price.USD })) },
    });
  });

  it('sends an entity once for each set of arguments of a required field', async () => {
    expect(await ask('{ books { cost costInEuros price(currency: "EUR") } }')).toEqual({
      data: { books: BOOKS.map(({ price }) => ({ cost: price.USD, costInEuros: price.EUR, price: price.EUR })) },
    });
  });

  it('sends a required field after what that field requires', async () => {
    const { title, pages } = FIRST;
    expect(await ask('{ favourite { blurb } }')).toEqual({
      data: { favourite: { blurb: `Read it! ${title}: ${pages}` } },
    });
    expect(sent().map(({ query }) => query.match(/favourite|title|summary|blurb/g)?.join(' '))).toEqual([
      'favourite',
      'title',
      'summary',
      'blurb',
    ]);
  });

  it('sends default values, also of required variables', async () => {
    const text = 'query ($currency: String! = "EUR") { books { price(currency: $currency) } }';
    expect(await ask(text)).toEqual({ data: { books: BOOKS.map(({ price }) => ({ price: price.EUR })) } });
    expect(sent()[0]?.variables).toEqual({ currency: 'EUR' });
  });

  it('is left out when the client has left', async () => {
    const planned = engine.plan(parse('{ first { stars } }'));
    const context = { viewer: { kind: 'anonymous' }, requestId: 'tests', signal: AbortSignal.abort() } as const;
    await engine.execute(planned, {}, context);
    expect(sent()).toEqual([]);
  });
});

describe('a mutation', () => {
  it('runs its fields in series, and completes them from other subgraphs', async () => {
    const { data } = await ask('mutation { a: add(title: "x") { title stars } b: add(title: "y") { title } log }');
    expect(data).toEqual({ a: { title: 'x', stars: 4 }, b: { title: 'y' }, log: ['x', 'y'] });
  });

  it.each([
    [
      'mutation { ... on Mutation { a: add(title: "a") { id } ...F } } fragment F on Mutation { b: add(title: "b") { id } }',
    ],
    [
      'mutation { a: add(title: "a") { id } ...F a: add(title: "a") { title } } fragment F on Mutation { b: add(title: "b") { id } }',
    ],
    ['mutation { a: add(title: "a") @include(if: $yes) { id } b: add(title: "b") { id } a: add(title: "a") { id } }'],
    ['mutation { a: add(title: "a") { id @skip(if: $yes) } b: add(title: "b") { id } }'],
  ])('runs each field once, in the order of the document: %s', async (text) => {
    await ask(
      text.replace('mutation', 'mutation ($yes: Boolean! = true)').replace('{', '{ s: __typename @skip(if: $yes)'),
    );
    expect(log).toEqual(['a', 'b']);
  });

  it('is executed although the client has left', async () => {
    const planned = engine.plan(parse('mutation { add(title: "x") { title } }'));
    const context = { viewer: { kind: 'anonymous' }, requestId: 'tests', signal: AbortSignal.abort() } as const;
    expect(await engine.execute(planned, {}, context)).toEqual({ data: { add: { title: 'x' } } });
  });
});
