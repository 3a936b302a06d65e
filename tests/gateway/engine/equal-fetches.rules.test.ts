import { beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { openBookEngine, requests } from '../../kit/graph/book-graph.js';
import type { Json } from '../../kit/platform.js';

const engine = openBookEngine();

async function ask(text: string): Promise<Json> {
  const context = { viewer: { kind: 'anonymous' }, requestId: 'tests' } as const;
  return JSON.parse(JSON.stringify(await engine.execute(engine.plan(parse(text)), {}, context)));
}

beforeEach(() => {
  requests.length = 0;
});

describe('equal fetches of one operation', () => {
  const repeated = 'a: first { stars } b: first { stars }';
  const fetches = () => requests.filter(({ query }) => query.includes('stars')).length;

  it('are sent once, and each gets the answer', async () => {
    const book = { stars: 4 };
    expect(await ask(`{ ${repeated} }`)).toEqual({ data: { a: book, b: book } });
    expect(fetches()).toBe(1);
  });

  it('get objects of their own, so that equal names below with other arguments stay apart', async () => {
    const cost = (field: string) => `best { text } cost: ${field}`;
    const text = `{ a: first { ${cost('cost')} } b: first { ${cost('costInEuros')} } }`;
    expect(await ask(text)).toEqual({
      data: { a: { best: { text: 'good' }, cost: 11 }, b: { best: { text: 'good' }, cost: 10 } },
    });
  });

  it('are sent again by the next operation, in another answer to a mutation, and with other variables', async () => {
    for (const times of [1, 2]) {
      await ask(`{ ${repeated} }`);
      expect(fetches()).toBe(times);
    }
    requests.length = 0;
    await ask('mutation { a: add(title: "x") { stars } b: add(title: "y") { stars } }');
    expect(fetches()).toBe(2);
    requests.length = 0;
    await ask(
      '{ a: first { stars } b: node(id: "1") { ... on Book { stars } } c: node(id: "2") { ... on Book { stars } } }',
    );
    expect(fetches()).toBe(2);
  });

  it('fail together, each with its error', async () => {
    const { errors } = await ask(
      '{ a: node(id: "2") { ... on Book { stars } } b: node(id: "2") { ... on Book { stars } } }',
    );
    expect(errors.map(({ path }: Json) => path.join('.'))).toEqual(['a.stars', 'b.stars']);
    expect(fetches()).toBe(1);
  });
});
