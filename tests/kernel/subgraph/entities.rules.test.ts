import { buildSubgraphSchema } from '@apollo/subgraph';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import type { Runtime } from '../../../kernel/subgraph/context.js';
import { LocalSubgraph } from '../../../kernel/subgraph/local-subgraph.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import { conflict } from '../../../kernel/errors.js';

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { none: Int }
  interface Media @key(fields: "id") { id: ID! }
  type Book implements Media @key(fields: "id") { id: ID!, title: String }
  type Pen @key(fields: "id") { id: ID!, colour: String }
  type Ink @key(fields: "id") { id: ID! }`);

const shared = { id: 'shared', title: 'Shared' };
const resolvers = {
  Media: { __resolveReference: ({ id }: { id: string }) => ({ __typename: 'Book', id, title: 'a medium' }) },
  Book: {
    __resolveReference: ({ id }: { id: string }) => {
      if (id === 'late') return Promise.resolve({ id, title: 'Late' });
      if (id === 'wrong') return Promise.reject(conflict('It is wrong.'));
      return id === 'gone' ? null : shared;
    },
  },
  Pen: { __resolveReference: (given: object) => ({ ...given, __typename: 'Other', colour: 'RED' }) },
};

const subgraph = new LocalSubgraph(buildSubgraphSchema([{ typeDefs, resolvers }] as never), {
  log: openLog('silent', 'tests'),
} as Partial<Runtime> as Runtime);

async function entities(...representations: object[]) {
  const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
    __typename ... on Book { title } ... on Pen { colour } ... on Ink { id } } }`;
  const request = { query, variables: { representations }, viewer: ANONYMOUS, requestId: 'tests' };
  return JSON.parse(JSON.stringify(await subgraph.execute(request)));
}

const book = (id: string) => ({ __typename: 'Book', id });
const SHARED = { __typename: 'Book', title: 'Shared' };

describe('the entities of a subgraph', () => {
  it('have the order and the types of their representations', async () => {
    const pen = { __typename: 'Pen', id: '1' };
    expect(await entities(book('1'), pen, book('late'), book('gone'), book('2'))).toEqual({
      data: {
        _entities: [SHARED, { __typename: 'Pen', colour: 'RED' }, { __typename: 'Book', title: 'Late' }, null, SHARED],
      },
    });
    expect(Object.keys(shared)).toEqual(['id', 'title']);
  });

  it('can be of an interface, or of a type without a resolver', async () => {
    expect(await entities({ __typename: 'Media', id: '1' }, { __typename: 'Ink', id: '2' }, book('1'))).toEqual({
      data: { _entities: [{ __typename: 'Book', title: 'a medium' }, { __typename: 'Ink', id: '2' }, SHARED] },
    });
  });

  it('fail one by one', async () => {
    expect(await entities(book('1'), book('wrong'))).toMatchObject({
      data: { _entities: [SHARED, null] },
      errors: [{ message: 'It is wrong.', path: ['_entities', 1] }],
    });
  });

  it('are of known types', async () => {
    expect(await entities({ __typename: 'Nothing' })).toMatchObject({ data: null, errors: [{ path: ['_entities'] }] });
  });
});
