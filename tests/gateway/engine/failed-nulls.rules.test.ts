import { describe, expect, it } from '@jest/globals';
import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import { Engine } from '../../../gateway/engine/engine.js';
import { readSupergraph } from '../../../gateway/engine/supergraph/read-supergraph.js';
import type { SubgraphClient } from '../../../kernel/subgraph/subgraph-client.js';
import { mergeParts } from '../../kit/federation/parts.js';
import { randomSubgraphs } from '../../kit/federation/random/random-supergraph.js';
import { tryOperations } from '../../kit/federation/trials.js';
import type { Json } from '../../kit/platform.js';

const SOURCES: Readonly<Record<string, string>> = {
  users: 'type Query { me: User } type User @key(fields: "id") { id: ID! }',
  groups: `type User @key(fields: "id") { id: ID! groups: [Group!] }
    type Group { peers: [Peer!]! } type Peer @key(fields: "id") { id: ID! made: String! age: Int! }`,
};
const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])';

/** The field of the second peer whose resolver fails, which makes the list of groups null. */
const FAILED = { message: 'no such peer', path: ['_entities', 0, 'groups', 0, 'peers', 1, 'made'] };

function answer(query: string): Json {
  if (!query.includes('_entities')) return { data: { me: { __typename: 'User', id: '1' } } };
  if (query.includes('made')) return { data: { _entities: [{ groups: null }] }, errors: [FAILED] };
  if (query.includes('on Peer')) return { data: { _entities: [{ age: 1 }, { age: 2 }] } };
  const peers = ['a', 'b'].map((id) => ({ __typename: 'Peer', id, age: 3 }));
  return { data: { _entities: [{ groups: [{ peers }] }] } };
}

const CLIENT: SubgraphClient = {
  dependency: 'none',
  execute: async ({ query }) => answer(query),
  subscribe: () => Promise.reject(new Error('there are no events')),
  open: () => Promise.reject(new Error('there are no bytes')),
  check: async () => [],
  close: async () => undefined,
};

describe('a null that an error has left in one answer', () => {
  it.each([
    ['2-4/4+1', 'stays null where another answer has an object, without errors of the fields that it lacks'],
    ['2-4/23+30', 'hides no null of another type that has no error'],
    ['2-4/91+46', 'changes no required object of which the client selects a field that fails'],
    ['7-6/59+42', 'has nothing below it in a later deferred fragment'],
    ['2-9/159+2', 'stays null in a later deferred fragment that has the object'],
    ['7-8/111+41', 'has no error of an object that it has removed'],
  ])('(seed %s) %s', async (name) => {
    const [seed = '', operation, world] = name.split(/[/+]/);
    const amount = { first: Number(operation), operations: 1, worlds: Number(world) + 1 };
    const { cases, failure } = await tryOperations(randomSubgraphs(seed), seed, amount);
    expect({ cases, failure }).toEqual({ cases: amount.worlds, failure: undefined });
  });

  it('stays null in deferred fragments, and nothing comes below it', async () => {
    const services = Object.entries(SOURCES).map(([name, sdl]) => ({ name, typeDefs: parse(`${LINK} ${sdl}`) }));
    const { supergraphSdl = '' } = composeServices(services);
    const clients = new Map(Object.keys(SOURCES).map((name) => [name, CLIENT]));
    const engine = new Engine(readSupergraph(supergraphSdl), clients);
    const planned = engine.plan(
      parse('{ me { groups { peers { made } } ... @defer { groups { peers { ... @defer { age } } } } } }'),
    );
    const parts = [];
    for await (const part of engine.executeInParts(planned, {}, { viewer: { kind: 'anonymous' }, requestId: 'tests' }))
      parts.push(part);
    const { data, errors, problem } = mergeParts(parts);
    expect(problem).toBeUndefined();
    expect(data).toEqual({ me: { groups: null } });
    expect(errors.map(({ path }) => path)).toEqual([['me', 'groups', 0, 'peers', 1, 'made']]);
  });
});
