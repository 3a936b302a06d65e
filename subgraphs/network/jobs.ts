import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import type { SubgraphSettings } from '../../kernel/subgraph/subgraph.js';
import type { NetworkConfig } from './config.js';
import { TELL_AUTHORITY_PHASES } from './certificates/authority/phase.actions.js';
import { TELL_VM_JOINED } from './joining/enrollment/vm-joined.actions.js';
import { FORGET_GONE } from './graph/lookup/expiry.actions.js';
import { NETBIRD_DRIFT, NETBIRD_RECONCILIATION } from './drivers/netbird/netbird-jobs.js';
import { STALENESS } from './graph/peer/staleness.actions.js';
import type { NetworkRuntime } from './services.js';

const ALWAYS: readonly JobDefinition<NetworkRuntime>[] = [
  STALENESS,
  TELL_AUTHORITY_PHASES,
  TELL_VM_JOINED,
  FORGET_GONE,
];

/** The background jobs of the network subgraph. */
export function jobsOf({ own }: SubgraphSettings<NetworkConfig>): readonly JobDefinition<NetworkRuntime>[] {
  return own.netbird ? [...ALWAYS, NETBIRD_RECONCILIATION, NETBIRD_DRIFT] : ALWAYS;
}
