import { describe, expect, it } from '@jest/globals';
import { buildSchema, type GraphQLError } from 'graphql';
import { documentReader } from '../../../../gateway/graphql/documents/read-document.js';

const read = documentReader(buildSchema('type Query { id: ID }'), { isLimited: true });

/** The codes and messages of a refused document. */
function refusalOf(text: string): unknown[] {
  const answer = read(text);
  return Array.isArray(answer) ? answer.map(({ message, extensions }: GraphQLError) => [extensions.code, message]) : [];
}

describe('a document', () => {
  it.each(['mutation', 'subscription'])('with a %s is refused where the schema has none', (type) => {
    expect(refusalOf(`${type} { id }`)).toEqual([['GRAPHQL_VALIDATION_FAILED', `The schema has no ${type}s.`]]);
  });

  it('with a query is read', () => {
    expect(refusalOf('{ id }')).toEqual([]);
  });
});
