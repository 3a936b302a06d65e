import { describe, expect, it } from '@jest/globals';
import { buildSchema, getOperationAST, Kind, parse } from 'graphql';
import { CostEstimator } from '../../../gateway/graphql/cost.js';
import { SchemaListLengths } from '../../../gateway/graphql/schema-lists.js';

const SCHEMA = buildSchema('type Query { me: User } type User { id: ID friends: [User] }');

/** Measures the only operation of a document; tells how often a fragment was looked at. */
function estimator(source: string) {
  const document = parse(source);
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  let looks = 0;
  const one = new CostEstimator(SCHEMA, new SchemaListLengths(SCHEMA), (wanted) => {
    looks++;
    return fragments.find(({ name }) => name.value === wanted);
  });
  const set = getOperationAST(document)?.selectionSet;
  if (!set) throw new Error('no operation');
  return { ...one.operation(set, SCHEMA.getQueryType() ?? undefined), looks };
}

const chain = (length: number, spreads: (next: string) => string) =>
  Array.from(
    { length },
    (_, i) => `fragment F${i} on User { ${i < length - 1 ? spreads(`...F${i + 1}`) : 'id'} }`,
  ).join(' ');

describe('the estimator of an operation', () => {
  it('looks at each fragment once, however often they multiply each other', () => {
    const { looks, cost } = estimator(`{ me { ...F0 } } ${chain(195, (next) => `${next} ${next}`)}`);
    expect({ looks, isTooMuch: cost > 1e9 }).toEqual({ looks: 195, isTooMuch: true });
  });

  it('is what the same operation without fragments asks for', () => {
    const { looks: _, ...spread } = estimator(
      '{ me { ...A ...A } } fragment A on User { id friends { a: id @skip(if: true) } }',
    );
    const { looks: __, ...plain } = estimator(
      '{ me { id friends { a: id @skip(if: true) } id friends { a: id @skip(if: true) } } }',
    );
    expect(spread).toEqual(plain);
    expect(plain).toEqual({ fields: 1, depth: 3, aliases: 2, directives: 2, cost: 25, introspection: 0 });
  });

  it('ends where fragments spread each other in a circle', () => {
    expect(estimator('{ me { ...A } } fragment A on User { id ...B } fragment B on User { ...A }').looks).toBe(2);
  });

  it('takes the lists of the schema to be as long as they are', () => {
    const types = Object.keys(SCHEMA.getTypeMap()).length;
    expect(estimator('{ __schema { types { name } } }').introspection).toBe(2 + types);
    const longest = SCHEMA.getType('__Type');
    const fields = longest && 'getFields' in longest ? Object.keys(longest.getFields()).length : 0;
    expect(estimator('{ __type(name: "__Type") { fields { name } } }').introspection).toBe(2 + fields);
  });
});
