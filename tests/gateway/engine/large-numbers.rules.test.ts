import { beforeEach, describe, expect, it } from '@jest/globals';
import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import { parseResult } from '../../../kernel/subgraph/remote/results.js';
import type { SubgraphClient, SubgraphRequest } from '../../../kernel/subgraph/subgraph-client.js';
import type { Json } from '../../kit/platform.js';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])';
const TYPES = {
  shop: `${LINK} scalar Long scalar Any type Query { books(first: Int): [Book!]! }
    type Book @key(fields: "id") { id: Long!, weight: Float, pages: Int, code: ID, more: Any @shareable, best: Review }
    type Review { text: String }`,
  reviews: `${LINK} scalar Long scalar Any
    type Book @key(fields: "id") { id: Long!, stars(least: Int): Int, more: Any @shareable }`,
} as const;

const [EVEN, ODD] = ['9007199254740992', '9007199254740993'];

/** The variables that the subgraph `reviews` got, as JSON. */
let sent: string[];
/** The fields of each book, after its key. */
let fields: string;
beforeEach(() => {
  sent = [];
  fields = '';
});

const shop = () => {
  const books = [EVEN, ODD, ODD].map((id) => `{"__typename":"Book","id":${id}${fields}}`);
  return `{"data":{"books":[${books.join()}],"other":[${books.join()}]}}`;
};

function reviews({ variables }: SubgraphRequest): string {
  sent.push(JSON.stringify(variables));
  const { representations } = variables as { readonly representations: readonly { readonly id: unknown }[] };
  const entities = representations.map(
    ({ id }) => `{"stars":${JSON.stringify(id).endsWith('3') ? 3 : 2},"more":{"b":[${ODD}]}}`,
  );
  return `{"data":{"_entities":[${entities.join()}]}}`;
}

/** A subgraph that answers with a text, as one over HTTP does. */
function clientOf(answer: (request: SubgraphRequest) => string): SubgraphClient {
  const client: Pick<SubgraphClient, 'execute'> = { execute: async (request) => parseResult(answer(request)) ?? {} };
  return client as SubgraphClient;
}

function openEngine(): Engine {
  const services = Object.entries(TYPES).map(([name, types]) => ({ name, url: '', typeDefs: parse(types) }));
  const clients = new Map(Object.entries({ shop: clientOf(shop), reviews: clientOf(reviews) }));
  return new Engine(readSupergraph(composeServices(services).supergraphSdl ?? ''), clients);
}

const engine = openEngine();
const CONTEXT = { viewer: ANONYMOUS, requestId: 'tests' } as const;

/** Returns the answer as the client gets it. */
async function ask(query: string, variables = {}): Promise<string> {
  return JSON.stringify(await engine.execute(engine.plan(parse(query)), variables, CONTEXT));
}

describe('a number of a subgraph beyond 2^53', () => {
  it('is answered with all its digits', async () => {
    fields = `,"more":[{"price":0.12345678901234567891}]`;
    const books = [EVEN, ODD, ODD].map((id) => `{"id":${id},"more":[{"price":0.12345678901234567891}]}`);
    expect(await ask('{ books { id more } }')).toBe(`{"data":{"books":[${books.join()}]}}`);
  });

  it('is a key with all its digits, so that each object gets its own entity, and equal ones are sent once', async () => {
    expect(await ask('{ books { stars } }')).toBe('{"data":{"books":[{"stars":2},{"stars":3},{"stars":3}]}}');
    const keys = [EVEN, ODD].map((id) => `{"__typename":"Book","id":${id}}`);
    expect(sent).toEqual([`{"representations":[${keys.join()}]}`]);
  });

  it('stays in an answer that two fields share, and in a deferred fragment', async () => {
    const book = (id: string, stars: number) => `{"id":${id},"stars":${stars}}`;
    const list = [book(EVEN, 2), book(ODD, 3), book(ODD, 3)].join();
    const query = '{ books { id stars } other: books { id stars } }';
    expect(await ask(query)).toBe(`{"data":{"books":[${list}],"other":[${list}]}}`);
    const parts: Json[] = [];
    const deferred = engine.plan(parse('{ books { id ... @defer { stars id } } }'));
    for await (const part of engine.executeInParts(deferred, {}, CONTEXT)) parts.push(part);
    expect(JSON.stringify(parts)).toContain(`{"stars":3,"id":${ODD}}`);
  });

  it('is replaced by the number of another subgraph, and merged as a part of an object', async () => {
    fields = `,"more":{"a":${ODD},"b":[${EVEN}1]}`;
    expect(await ask('{ books { more stars } }')).toContain(`{"more":{"a":${ODD},"b":[${ODD}]},"stars":3}`);
  });

  it('is a number for a Float, and refused for an enclosing object', async () => {
    fields = `,"weight":${ODD},"pages":${ODD},"code":${ODD},"best":${ODD}`;
    const { data, errors } = JSON.parse(await ask('{ books { weight pages best { text } } }'));
    expect(data.books[0]).toEqual({ weight: Number(ODD), pages: Number(ODD), best: null });
    expect(errors[0].message).toContain('Invalid value');
    expect(await ask('{ books { code } }')).toContain(`{"code":${ODD}}`);
  });
});

describe('a variable named as that of the planner', () => {
  it('is sent beside the representations', async () => {
    const query = `query ($representations: Int, $representations_: Boolean!) {
      books(first: $representations) { ...Stars id @include(if: $representations_) } }
      fragment Stars on Book { stars(least: $representations) }`;
    const answer = await ask(query, { representations: 1, representations_: false });
    expect(answer).toBe('{"data":{"books":[{"stars":2},{"stars":3},{"stars":3}]}}');
    const variables = JSON.parse(sent[0] ?? '');
    expect([Object.values(variables), variables.representations.length]).toEqual([expect.arrayContaining([1]), 2]);
  });
});
