import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { badRequest } from '../../../kernel/errors.js';
import type { Runtime } from '../../../kernel/subgraph/context.js';
import { LocalSubgraph } from '../../../kernel/subgraph/local-subgraph.js';
import type { SubgraphRequest } from '../../../kernel/subgraph/subgraph-client.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import type { Json } from '../platform.js';

/** The titles that the mutation `add` got, in order. */
export const log: string[] = [];

/** What the engine sent to the subgraphs. */
export const requests: SubgraphRequest[] = [];

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3",
  import: ["@key", "@external", "@requires", "@shareable", "@inaccessible"])`;

export const FIRST = { id: '1', title: 'Ada "quoted" \u2028 ü', pages: 3, price: { EUR: 10, USD: 11 } };
export const BOOKS = [FIRST, { id: '2', title: 'Bob', pages: 0, price: { EUR: 20, USD: 22 } }];

const TYPES = {
  shop: `${LINK}
    type Query { books: [Book!]!, twice: [Item], first: Book!, colour: Colour, colours: [Colour!]!, gone: Book, pair: [Book!], node(id: ID!): Item }
    type Mutation { add(title: String!): Book!, log: [String!]! }
    union Item = Book | Pen
    type Pen { colour: Colour, label: String! }
    enum Colour { RED SECRET @inaccessible }
    type Book @key(fields: "id") { id: ID!, title: String!, pages: Int!, price(currency: String!): Int, tags: [String!],
      summary: String @external, blurb: String @requires(fields: "summary") }`,
  reviews: `${LINK}
    type Query { stars: Int, favourite: Book }
    type Book @key(fields: "id") {
      id: ID!, title: String! @external, pages: Int! @external, price(currency: String!): Int @external
      stars: Int!, reviews: [Review!]!, best: Review, summary: String @requires(fields: "title pages")
      cost: Int @requires(fields: "price(currency: \\"USD\\")")
      costInEuros: Int @requires(fields: "pages price(currency: \\"EUR\\")") }
    type Review { text: String!, author: String }`,
} as const;

const RESOLVERS: Readonly<Record<keyof typeof TYPES, Json>> = {
  shop: {
    Query: {
      books: () => BOOKS,
      twice: () => [FIRST, { label: 'a pen', colour: 'RED' }, null, FIRST],
      first: () => FIRST,
      pair: () => [BOOKS[1], BOOKS[1]],
      gone: () => ({ id: 'gone', title: 'Gone' }),
      colour: () => 'SECRET',
      colours: () => ['RED', 'SECRET'],
      node: (_: unknown, { id }: Json) => BOOKS.find((book) => book.id === id),
    },
    Mutation: {
      add: async (_: unknown, { title }: Json) => {
        await Promise.resolve();
        log.push(title);
        return { id: '1', title, pages: 1 };
      },
      log: () => log,
    },
    Item: { __resolveType: (value: Json) => ('label' in value ? 'Pen' : 'Book') },
    Book: {
      __resolveReference: ({ id, summary }: Json) => ({ ...BOOKS.find((book) => book.id === id), summary }),
      price: ({ price }: Json, { currency }: Json) => price[currency],
      tags: ({ id }: Json) => (id === '1' ? ['a'] : null),
      blurb: ({ summary }: Json) => `Read it! ${summary}`,
    },
  },
  reviews: {
    Query: { stars: () => 5, favourite: () => ({ id: '1' }) },
    Book: {
      __resolveReference: (reference: Json) => (reference.id === 'gone' ? null : reference),
      stars: ({ id }: Json) => {
        if (id === '2') throw badRequest('no stars');
        return 4;
      },
      reviews: ({ id }: Json) => [{ text: `of ${id}`, author: null }],
      best: ({ id }: Json) => (id === '1' ? { text: 'good' } : { text: null }),
      summary: ({ title, pages }: Json) => `${title}: ${pages}`,
      cost: ({ price }: Json) => price,
      costInEuros: ({ price }: Json) => price,
    },
  },
};

class RecordedSubgraph extends LocalSubgraph {
  override execute(request: SubgraphRequest) {
    requests.push(request);
    return super.execute(request);
  }
}

/** Opens an engine over two subgraphs in this process, a shop of books and their reviews. */
export function openBookEngine(): Engine {
  const names = Object.keys(TYPES) as (keyof typeof TYPES)[];
  const { supergraphSdl, errors } = composeServices(
    names.map((name) => ({ name, url: '', typeDefs: parse(TYPES[name]) })),
  );
  if (supergraphSdl === undefined) throw new Error(errors?.join('\n'));
  const runtime = { log: openLog('silent', 'tests') } as Partial<Runtime> as Runtime;
  const clients = names.map((name) => {
    const schema = buildSubgraphSchema([{ typeDefs: parse(TYPES[name]), resolvers: RESOLVERS[name] }]);
    return [name, new RecordedSubgraph(schema, runtime)] as const;
  });
  return new Engine(readSupergraph(supergraphSdl), new Map(clients));
}
