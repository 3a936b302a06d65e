import { describe, expect, it } from '@jest/globals';
import { buildSchema, Kind, parse } from 'graphql';
import { compileProjection } from '../../../gateway/rest/interpreter/projection.js';

const schema = buildSchema(`
  scalar UInt64
  interface Named { name: String }
  type Item implements Named { name: String size: UInt64 note: String items: [Item] tags: [String] }
  type Page { count: Int page_size: Int results: [Item] }
  type Query { item: Item items: [Item] named: Named page: Page }
`);

function project(text: string, data: object, omitNull: readonly string[] = []) {
  const document = parse(text);
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new Error('no operation');
  compileProjection({ schema, document, operation }, omitNull)(data);
  return JSON.stringify(data);
}

describe('the projection of an answer', () => {
  it('leaves out null fields at any depth, and only those that are named', () => {
    const leaf = { name: null, note: null, items: null };
    const data = { item: { ...leaf, items: [{ ...leaf, items: [leaf, null] }, leaf] } };
    const text = '{ item { name note items { name note items { name note items { name } } } } }';
    expect(project(text, structuredClone(data), ['note'])).toBe(
      '{"item":{"name":null,"items":[{"name":null,"items":[{"name":null,"items":null},null]},{"name":null,"items":null}]}}',
    );
  });

  it('keeps a field that is not null, empty lists and the order', () => {
    const data = { item: { note: '', tags: [], name: 'a' } };
    expect(project('{ item { note tags name } }', data, ['note', 'tags'])).toBe(
      '{"item":{"note":"","tags":[],"name":"a"}}',
    );
  });

  it('writes numbers of 64 bits exactly, under an alias, in lists and in fragments', () => {
    const data = {
      items: [
        { bytes: '18446744073709551615', items: [{ size: '9007199254740993' }] },
        { bytes: null, items: null },
      ],
      named: { size: '1' },
    };
    const text = `query { items { ...Sized items { size } } named { ... on Item { size } } } fragment Sized on Item { bytes: size }`;
    expect(project(text, data)).toBe(
      '{"items":[{"bytes":18446744073709551615,"items":[{"size":9007199254740993}]},{"bytes":null,"items":null}],"named":{"size":1}}',
    );
  });

  it('keeps the null fields of a page', () => {
    const data = { page: { count: 1, page_size: 1, results: [{ note: null }] } };
    expect(project('{ page { count page_size results { note } } }', data, ['note'])).toBe(
      '{"page":{"count":1,"page_size":1,"results":[{"note":null}]}}',
    );
  });

  it('neither copies nor touches records without such fields', () => {
    const item = Object.freeze({ name: 'a', note: null });
    const data = { item, items: Object.freeze([item]) };
    project('{ item { name note } items { name note } }', data, ['tags']);
    expect(data.item).toBe(item);
  });

  it('does not copy records with such fields', () => {
    const item = { name: 'a', note: null };
    const data = { items: [item] };
    project('{ items { name note } }', data, ['note']);
    expect(data.items[0]).toBe(item);
  });
});
