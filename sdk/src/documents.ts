import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './generated/graphql.js';

export type { ResultOf, VariablesOf } from 'gql.tada';

/** Parses a GraphQL document. Its data and variables have the types of the schema. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    DateTimeISO: string;
    Decimal: string;
    Int64: number | string;
    UInt64: number | string;
    SafeInt: number;
    ByteArray: number[];
    IntegerList: number[];
    IntegerOrString: number | string;
    Upload: never;
  };
}>();
