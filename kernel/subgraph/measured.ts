import { errorCode } from '../errors.js';
import { measure, METRICS } from '../telemetry/metrics.js';
import type { SubgraphClient } from './subgraph-client.js';

const REQUEST_SECONDS = METRICS.histogram(
  'subgraph_request_seconds',
  'Seconds of a subgraph operation; `code`: its first error, or OK. Kind `bytes`: until the download opens.',
  ['subgraph', 'kind', 'code'],
  [0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1, 5, 25],
);

/** Returns a client that also measures the operations and downloads; subscriptions are not measured. */
export function measured(client: SubgraphClient, name: string): SubgraphClient {
  return {
    dependency: client.dependency,
    execute: (request) => {
      const kind = request.query.startsWith('mutation') ? 'mutation' : 'query';
      return measure(
        REQUEST_SECONDS,
        [name, kind],
        () => client.execute(request),
        ({ errors }) => errors?.[0] && (errorCode(errors[0]) ?? 'INTERNAL'),
      );
    },
    open: (request) => measure(REQUEST_SECONDS, [name, 'bytes'], () => client.open(request)),
    subscribe: (request, signal) => client.subscribe(request, signal),
    check: () => client.check(),
    close: () => client.close(),
  };
}
