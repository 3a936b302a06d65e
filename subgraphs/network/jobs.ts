import type { JobDefinition } from '../../kernel/jobs.js';
import type { SubgraphSettings } from '../../kernel/subgraph.js';
import { NETBIRD_DRIFT, NETBIRD_RECONCILIATION } from './netbird/netbird-jobs.js';
import { STALENESS } from './peer/staleness.actions.js';
import type { NetworkRuntime } from './services.js';

/** What network does without being asked. */
export function jobsOf({ config }: SubgraphSettings): JobDefinition<NetworkRuntime>[] {
  return config.network.netbird ? [STALENESS, NETBIRD_RECONCILIATION, NETBIRD_DRIFT] : [STALENESS];
}
