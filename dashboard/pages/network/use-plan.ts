import { useMemo } from 'react';
import { useQuery } from 'urql';
import type { VariablesOf } from '../../graphql/graphql';
import { PLAN } from './operations';

/** What is planned: a new policy, or a change of one. */
export type PlannedPolicy = VariablesOf<typeof PLAN>;

/** Who could reach what else, and who no longer, with a change of a policy. Each revision of the network plans again. */
export function usePlan(variables: PlannedPolicy, revision: number) {
  const context = usePlanContext(revision);
  const [{ data, error, fetching, stale }] = useQuery({ query: PLAN, variables, context });
  return { plan: data?.planPolicy, error, isLoading: fetching || stale };
}

/** The context of a query that is sent again with each revision: urql compares it by identity. */
export function usePlanContext(revision: number) {
  return useMemo(() => ({ revision, requestPolicy: 'network-only' as const }), [revision]);
}
