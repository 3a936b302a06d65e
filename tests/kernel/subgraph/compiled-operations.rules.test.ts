import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { compiledBytes, CompiledOperations } from '../../../kernel/subgraph/compiled-operations.js';

const bytesOf = (text: string) => compiledBytes(parse(text));
const repeated = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

describe('the memory of a compiled operation', () => {
  it('counts objects, leaves and each use of a fragment', () => {
    const one = bytesOf('{ book { id } }');
    expect(one).toBe(5_000 + 7_000 + 1_100);
    expect(bytesOf('{ book { ...F } } fragment F on Book { id }')).toBe(one);
    expect(bytesOf('{ book { ... on Book { id } } }')).toBe(one);
    expect(bytesOf('{ a: book { ...F } b: book { ...F } } fragment F on Book { id }')).toBe(2 * one - 5_000);
  });

  it('is counted in the time of the text, also where each fragment uses the next one twice', () => {
    const fragments = repeated(
      40,
      (at) => `fragment F${at} on Book { a: next { ...F${at + 1} } b: next { ...F${at + 1} } }`,
    );
    expect(bytesOf(`{ book { ...F0 } } ${fragments} fragment F40 on Book { id }`)).toBeGreaterThan(2 ** 40);
  });
});

describe('the cache of compiled operations', () => {
  const schema = buildSchema('type Query { book: Book } type Book { id: ID title: String }');
  const short = `{ ${repeated(20, (at) => `a${at}: book { ...F }`)} } fragment F on Book { ${repeated(20, (at) => `b${at}: id`)} }`;

  it('forgets the least recently used ones above its bytes, of which a short text may need many', () => {
    const operations = new CompiledOperations(schema, { max: 2_000, maxSize: 1_000_000 });
    const [first, one] = [operations.of('{ book { id } }'), operations.of(short)];
    expect([operations.of('{ book { id } }') === first, operations.of(short) === one]).toEqual([true, true]);
    operations.of(`${short} `);
    expect([operations.of('{ book { id } }') === first, operations.of(short) === one]).toEqual([false, false]);
  });

  it('does not keep one above all of its bytes', () => {
    const operations = new CompiledOperations(schema, { max: 2_000, maxSize: 100_000 });
    expect(operations.of(short)).not.toBe(operations.of(short));
  });
});
