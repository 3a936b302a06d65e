import { describe, expect, it } from '@jest/globals';
import { parse, print } from 'graphql';
import { parseOperations } from '../../../gateway/rest/operations.js';

const CASES = [
  ['answers a field under its name in snake_case', '{ a { createdAt } }', '{ a { created_at: createdAt } }'],
  ['keeps an alias', '{ a { made: createdAt } }', '{ a { made: createdAt } }'],
  ['renames fields of fragments', 'fragment F on T { isNew }', 'fragment F on T { is_new: isNew }'],
  [
    'passes a variable that no argument names to the root field',
    'query ($page_size: Int) { a { b } }',
    'query ($page_size: Int) { a(pageSize: $page_size) { b } }',
  ],
  [
    'passes each variable once',
    'query ($nid: Int, $name: String, $rid: Int) { a(networkId: $nid) { b(id: $rid) } }',
    'query ($nid: Int, $name: String, $rid: Int) { a(networkId: $nid, name: $name) { b(id: $rid) } }',
  ],
] as const;

describe('the operations of the REST routes', () => {
  it.each(CASES)('%s', (_name, written, served) => {
    expect(print(parseOperations(written))).toBe(print(parse(served)));
  });
});
