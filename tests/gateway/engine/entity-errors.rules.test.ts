import { composeServices } from '@apollo/composition';
import { expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { notFound } from '../../../kernel/errors.js';
import type { SubgraphClient, SubgraphRequest } from '../../../kernel/subgraph/subgraph-client.js';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';
const SHOP = `${LINK} type Query { books: [Book!] } type Book @key(fields: "id") { id: ID! }`;
const TITLES = `${LINK} type Book @key(fields: "id") { id: ID! title: String }`;
const CONTEXT = { viewer: { kind: 'anonymous' }, requestId: 'tests' } as const;

function openEngine(books: readonly object[]): Engine {
  const subgraphs = Object.entries({ shop: SHOP, titles: TITLES });
  const composed = composeServices(subgraphs.map(([name, sdl]) => ({ name, url: '', typeDefs: parse(sdl) })));
  if (!composed.supergraphSdl) throw new Error('the subgraphs of the test compose');
  const clients: Record<string, Pick<SubgraphClient, 'execute'>> = {
    shop: { execute: async () => ({ data: { books } }) },
    titles: {
      execute: async ({ variables }: SubgraphRequest) => {
        const asked = variables.representations as readonly object[];
        const errors = asked.map((_, at) => Object.assign(notFound('No title.'), { path: ['_entities', at, 'title'] }));
        return { data: { _entities: asked.map(() => ({ title: null })) }, errors };
      },
    },
  };
  return new Engine(
    readSupergraph(composed.supergraphSdl),
    new Map(Object.entries(clients) as [string, SubgraphClient][]),
  );
}

/** Executes an operation over so many books. Returns the places of its errors, and how often the list was walked. */
async function askFor(count: number) {
  let walks = 0;
  const list = Array.from({ length: count }, (_, at) => ({ __typename: 'Book', id: `${at}` }));
  const books = new Proxy(list, {
    get(target, key, receiver) {
      if (key === 'keys') walks++;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  const engine = openEngine(books);
  const { errors = [] } = await engine.execute(engine.plan(parse('{ books { title } }')), {}, CONTEXT);
  return { places: errors.map(({ path }) => path), walks };
}

it('the errors of failed entities have the places of their objects, for which the answer is walked once', async () => {
  const [few, many] = [await askFor(2), await askFor(50)];
  expect(few.places).toEqual([
    ['books', 0, 'title'],
    ['books', 1, 'title'],
  ]);
  expect([many.places.length, few.walks, many.walks]).toEqual([50, 1, 1]);
});
