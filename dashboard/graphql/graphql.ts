import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../../dist/dashboard-types/graphql-env.d.ts';

/** Parses an operation. Its result and variables are typed by the schema of the platform. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    ByteArray: readonly number[];
    DateTimeISO: string;
    Decimal: string;
    Int64: number | string;
    IntegerOrString: number | string;
    SafeInt: number;
    UInt64: number | string;
  };
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';
