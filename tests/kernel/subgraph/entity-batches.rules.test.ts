import { beforeEach, describe, expect, it } from '@jest/globals';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { badRequest, unavailable } from '../../../kernel/errors.js';
import { ANONYMOUS } from '../../../kernel/security/viewer.js';
import type { Runtime } from '../../../kernel/subgraph/context.js';
import { EntityBatches } from '../../../kernel/subgraph/remote/entity-batches.js';
import { LocalSubgraph } from '../../../kernel/subgraph/local-subgraph.js';
import type { SubgraphRequest, SubgraphResult } from '../../../kernel/subgraph/subgraph-client.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import type { Json } from '../../kit/platform.js';

const MAX_FETCHES = 16;

const TYPES = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { book: Book } type Mutation { add: Book }
  type Book @key(fields: "id") { id: ID!, price(in: String!): String, stars: Int! }`;

const RESOLVERS = {
  Book: {
    __resolveReference: (reference: Json) => reference,
    price: ({ id }: Json, { in: currency }: Json) => `${id} ${currency}`,
    stars: ({ id }: Json) => {
      if (id === 'bad') throw badRequest('no stars');
      return 4;
    },
  },
};

const schema = buildSubgraphSchema([{ typeDefs: parse(TYPES), resolvers: RESOLVERS }]);
const subgraph = new LocalSubgraph(schema, { log: openLog('silent', 'tests') } as Partial<Runtime> as Runtime);

let sent: SubgraphRequest[];
let batches: EntityBatches;
beforeEach(() => {
  sent = [];
  batches = new EntityBatches(send);
});

async function send(request: SubgraphRequest): Promise<SubgraphResult> {
  sent.push(request);
  return JSON.parse(JSON.stringify(await subgraph.execute(request)));
}

const ORIGIN = { viewer: ANONYMOUS, requestId: 'tests' } as const;
const PRICES = 'query ($representations: [_Any!]!, $in: String!) { _entities(representations: $representations)';

const booksOf = (...ids: string[]) => ids.map((id) => ({ __typename: 'Book', id }));

function prices(ids: readonly string[], currency: string, origin: Partial<SubgraphRequest> = {}) {
  const variables = { representations: booksOf(...ids), in: currency };
  return batches.execute({ ...ORIGIN, query: `${PRICES} { ... on Book { price(in: $in) } } }`, variables, ...origin });
}

function stars(...ids: string[]): Promise<SubgraphResult> {
  const query = `${PRICES} { ... on Book { price(in: $in) stars } } }`;
  return batches.execute({ ...ORIGIN, query, variables: { representations: booksOf(...ids), in: 'USD' } });
}

const answerOf = (...texts: string[]) => ({ data: { _entities: texts.map((price) => ({ price })) } });

describe('entity fetches that one execution begins at the same time', () => {
  it('are one request, and each gets its own answer with its own variables', async () => {
    const results = await Promise.all([prices(['1', '2'], 'EUR'), prices(['3'], 'USD'), prices([], 'USD')]);
    expect(results).toEqual([answerOf('1 EUR', '2 EUR'), answerOf('3 USD'), answerOf()]);
    expect(sent).toHaveLength(1);
  });

  it('are one request also when the answers before them come one after the other', async () => {
    const after = async (answers: number, currency: string) => {
      for (let count = 0; count < answers; count++) await Promise.resolve();
      return prices(['1'], currency);
    };
    expect(await Promise.all([after(1, 'EUR'), after(3, 'USD')])).toEqual([answerOf('1 EUR'), answerOf('1 USD')]);
    expect(sent).toHaveLength(1);
  });

  it('get the errors of their own entities', async () => {
    const [good, bad] = await Promise.all([stars('1'), stars('2', 'bad')]);
    expect(good).toEqual({ data: { _entities: [{ price: '1 USD', stars: 4 }] } });
    expect(bad).toMatchObject({
      data: { _entities: [{ price: '2 USD', stars: 4 }, null] },
      errors: [{ message: 'no stars', path: ['_entities', 1, 'stars'] }],
    });
    expect(sent).toHaveLength(1);
  });

  it('are sent one by one when one of them is refused, so that the others have their answer', async () => {
    const refused = { ...ORIGIN, query: `${PRICES} { ... on Book { gone } } }`, variables: { representations: [] } };
    const [good, bad] = await Promise.all([prices(['1'], 'EUR'), batches.execute(refused)]);
    expect(good).toEqual(answerOf('1 EUR'));
    expect(bad.errors).toHaveLength(1);
    expect(sent).toHaveLength(3);
  });

  it('fail together when the subgraph does not answer', async () => {
    const broken = new EntityBatches(async () => {
      throw unavailable('no answer');
    });
    const request = { ...ORIGIN, query: `${PRICES} { __typename } }`, variables: { representations: [] } };
    const results = await Promise.allSettled([broken.execute(request), broken.execute(request)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('are at most sixteen in one request', async () => {
    const all = Array.from({ length: MAX_FETCHES + 1 }, (_, at) => `${at}`);
    const results = await Promise.all(all.map((id) => prices([id], 'EUR')));
    expect(results).toEqual(all.map((id) => answerOf(`${id} EUR`)));
    expect(sent).toHaveLength(2);
  });

  it('are one request also when their texts are too long to be kept', async () => {
    batches = new EntityBatches(send, 100);
    for (const currency of ['EUR', 'USD'])
      expect(await Promise.all([prices(['1'], currency), prices(['2'], currency)])).toEqual([
        answerOf(`1 ${currency}`),
        answerOf(`2 ${currency}`),
      ]);
    expect(sent).toHaveLength(2);
  });
});

describe('a request of its own', () => {
  it.each<[string, Partial<SubgraphRequest>]>([
    ['viewer', { viewer: { kind: 'anonymous' } }],
    ['request id', { requestId: 'other' }],
    ['signal', { signal: new AbortController().signal }],
    ['address', { clientAddress: '192.0.2.1' }],
    ['agent', { userAgent: 'other' }],
    ['billing', { isBillingBypassed: true }],
  ])('is a fetch with another %s', async (_, other) => {
    await Promise.all([prices(['1'], 'EUR'), prices(['1'], 'EUR', other)]);
    expect(sent).toHaveLength(2);
  });

  it('is a fetch that begins later, and an operation that is no entity fetch, whatever its variables are', async () => {
    await prices(['1'], 'EUR');
    await prices(['1'], 'EUR');
    const variables = { representations: [] };
    const root = { ...ORIGIN, query: 'query ($representations: [_Any!]) { book { id } }', variables };
    const [, one] = await Promise.all([prices(['1'], 'EUR'), batches.execute(root)]);
    expect(one).toEqual({ data: { book: null } });
    expect(sent).toHaveLength(4);
  });
});
