import { composeServices } from '@apollo/composition';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, getOperationAST, Kind, parse } from 'graphql';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { CostEstimator } from '../../../gateway/graphql/limits/cost.js';
import { SchemaListLengths } from '../../../gateway/graphql/limits/schema-lists.js';
import { RemoteSubgraphClient } from '../../../kernel/subgraph/remote/remote-subgraph.js';

const SCHEMA = buildSchema('type Query { me: User } type User { id: ID friends: [User] }');

/** A client that is never used. */
const NOBODY = new RemoteSubgraphClient({ name: 'books', url: 'http://127.0.0.1:9', headers: () => ({}) });

/** Measures the only operation of a document; tells how often a fragment was looked at. */
function estimator(source: string, schema = SCHEMA) {
  const document = parse(source);
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  let looks = 0;
  const one = new CostEstimator(schema, new SchemaListLengths(schema), (wanted) => {
    looks++;
    return fragments.find(({ name }) => name.value === wanted);
  });
  const set = getOperationAST(document)?.selectionSet;
  if (!set) throw new Error('no operation');
  return { ...one.operation(set, schema.getQueryType() ?? undefined), looks };
}

const chain = (length: number, spreads: (next: string) => string) =>
  Array.from(
    { length },
    (_, i) => `fragment F${i} on User { ${i < length - 1 ? spreads(`...F${i + 1}`) : 'id'} }`,
  ).join(' ');

describe('the estimator of an operation', () => {
  it('looks at each fragment once, however often they multiply each other', () => {
    const { looks, cost } = estimator(`{ me { ...F0 } } ${chain(195, (next) => `${next} ${next}`)}`);
    expect({ looks, isTooMuch: cost > 1e9 }).toEqual({ looks: 195, isTooMuch: true });
  });

  it('is what the same operation without fragments asks for', () => {
    const { looks: _, ...spread } = estimator(
      '{ me { ...A ...A } } fragment A on User { id friends { a: id @skip(if: true) } }',
    );
    const { looks: __, ...plain } = estimator(
      '{ me { id friends { a: id @skip(if: true) } id friends { a: id @skip(if: true) } } }',
    );
    expect(spread).toEqual(plain);
    expect(plain).toEqual({ fields: 1, depth: 3, aliases: 2, directives: 2, cost: 25, introspection: 0 });
  });

  it('ends where fragments spread each other in a circle', () => {
    expect(estimator('{ me { ...A } } fragment A on User { id ...B } fragment B on User { ...A }').looks).toBe(2);
  });

  it('takes the lists of the schema to be as long as they are', () => {
    const types = Object.keys(SCHEMA.getTypeMap()).length;
    expect(estimator('{ __schema { types { name } } }').introspection).toBe(2 + types);
    const longest = SCHEMA.getType('__Type');
    const fields = longest && 'getFields' in longest ? Object.keys(longest.getFields()).length : 0;
    expect(estimator('{ __type(name: "__Type") { fields { name } } }').introspection).toBe(2 + fields);
  });
});

describe('the costs of a supergraph', () => {
  const { supergraphSdl = '' } = composeServices([
    {
      name: 'books',
      url: 'http://127.0.0.1:9',
      typeDefs: parse(`
        extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@cost", "@listSize"])
        type Query {
          dear: Int @cost(weight: 40)
          all: [Book] @listSize(assumedSize: 30)
          page(first: Int): Page
            @listSize(assumedSize: 50, slicingArguments: ["first"], sizedFields: ["books"], requireOneSlicingArgument: false)
        }
        type Page { count: Int books: [Book] others: [Book] }
        type Book { id: ID price: Int @cost(weight: 3) }`),
    },
  ]);
  const { schema } = new Engine(readSupergraph(supergraphSdl), new Map([['books', NOBODY]]));
  const costOf = (source: string) => estimator(source, schema).cost;

  it('are the weights of its fields, also in lists', () => {
    expect(costOf('{ dear }')).toBe(40);
    expect(costOf('{ all { id price } }')).toBe(1 + 30 * (1 + 3));
  });

  it.each([
    ['{ page { count books { id } } }', 1 + 1 + 1 + 10],
    ['{ page(first: 120) { books { id } } }', 1 + 1 + 24],
    ['{ page(first: 9999) { books { id } } }', 1 + 1 + 9_999 / 5],
    ['{ page(first: 99999) { books { id } } }', 1 + 1 + 2_000],
    ['{ page(first: 1) { books { id } } }', 1 + 1 + 1],
    ['{ page(first: 11) { books { id } } }', 1 + 1 + 10],
    ['{ page(first: -5) { books { id } } }', 1 + 1 + 1],
    ['query ($n: Int) { page(first: $n) { books { id } } }', 1 + 1 + 10],
    ['{ page(first: 120) { others { id } } }', 1 + 1 + 10],
    ['{ page(first: 120) { ...F } } fragment F on Page { books { id } }', 1 + 1 + 24],
    [
      '{ a: page(first: 60) { ...F } b: page(first: 80) { ...F } } fragment F on Page { books { id } }',
      2 * (1 + 1) + 12 + 16,
    ],
  ])(
    'are the lengths of its lists; of a page up to ten rows as they are, of more a fifth, up to the longest: %s',
    (source, cost) => {
      expect(costOf(source)).toBe(cost);
    },
  );
});
