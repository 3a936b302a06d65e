import type { JobDefinition } from '../../kernel/jobs.js';
import type { SubgraphSettings } from '../../kernel/subgraph.js';
import { TELL_AUTHORITY_PHASES } from './authority/phase.actions.js';
import { TELL_VM_JOINED } from './enrollment/vm-joined.actions.js';
import { FORGET_GONE } from './lookup/forgetting.actions.js';
import { NETBIRD_DRIFT, NETBIRD_RECONCILIATION } from './netbird/netbird-jobs.js';
import { STALENESS } from './peer/staleness.actions.js';
import type { NetworkRuntime } from './services.js';

const ALWAYS: readonly JobDefinition<NetworkRuntime>[] = [
  STALENESS,
  TELL_AUTHORITY_PHASES,
  TELL_VM_JOINED,
  FORGET_GONE,
];

/** What network does without being asked. */
export function jobsOf({ config }: SubgraphSettings): readonly JobDefinition<NetworkRuntime>[] {
  return config.network.netbird ? [...ALWAYS, NETBIRD_RECONCILIATION, NETBIRD_DRIFT] : ALWAYS;
}
