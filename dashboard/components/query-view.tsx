import { useCallback, type ReactNode } from 'react';
import type { UseQueryResponse } from 'urql';
import { useOnReturn } from '../graphql/on-return';
import { isPassing } from '../graphql/refusal';
import { Failure, Outdated, Skeleton } from './states';

interface QueryViewProps<Data> {
  readonly query: UseQueryResponse<Data, never> | readonly [UseQueryResponse<Data>[0], UseQueryResponse<Data>[1]];
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/**
 * The data of a query, or its loading or failed state. Data stays while it is loaded again, as when the window gets the focus, and
 * when that fails: then the reason is beside it.
 */
export function QueryView<Data>({ query, lines, children }: QueryViewProps<Data>) {
  const [{ data, error }, reload] = query;
  const loadAgain = useCallback(() => reload({ requestPolicy: 'network-only' }), [reload]);
  useOnReturn(loadAgain);
  // A field that may be null is null when it failed, too: without other data, the reason is shown.
  const hasData = data && !(error && Object.values(data).every((field) => field === null));
  if (hasData)
    return (
      <>
        {isPassing(error) && <Outdated error={error} onRetry={loadAgain} />}
        {children(data)}
      </>
    );
  if (error) return <Failure error={error} onRetry={loadAgain} />;
  return <Skeleton {...(lines !== undefined && { lines })} />;
}
