import { useMemo } from 'react';
import { useQuery, type UseQueryState } from 'urql';
import type { VariablesOf } from '../../graphql/graphql';
import { PLAN } from './operations';

/** What is planned: a new policy, or a change of one. */
export type PlannedPolicy = VariablesOf<typeof PLAN>;

/** Who could reach what else, and who no longer, with a change of a policy. Each revision of the network plans again. */
export function usePlan(variables: PlannedPolicy, revision: number) {
  const context = usePlanContext(revision);
  const [state, reload] = useQuery({ query: PLAN, variables, context });
  return { ...readiness(state), plan: state.data?.planPolicy, onRetry: () => reload() };
}

/** Whether a plan is loading, and whether the user sees one that is up to date. A change may be applied only then. */
export function readiness({ data, error, fetching, stale }: UseQueryState) {
  const isLoading = fetching || stale;
  return { error, isLoading, isReady: data !== undefined && error === undefined && !isLoading };
}

/** The context of a query that is sent again with each revision: urql compares it by identity. */
export function usePlanContext(revision: number) {
  return useMemo(() => ({ revision, requestPolicy: 'network-only' as const }), [revision]);
}
