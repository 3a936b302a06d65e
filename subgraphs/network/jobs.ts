import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import type { SubgraphSettings } from '../../kernel/subgraph/subgraph.js';
import type { NetworkConfig } from './config.js';
import { PUBLISH_AUTHORITY_PHASES } from './certificates/authority/phase.actions.js';
import { CHECK_ATTACHED_VM } from './joining/infra/attached-vm.actions.js';
import { NOTIFY_VM_JOINED } from './joining/enrollment/vm-joined.actions.js';
import { DELETE_EXPIRED_ADDRESSES } from './graph/lookup/expiry.actions.js';
import { NETBIRD_DRIFT, NETBIRD_RECONCILIATION, watchGraphs } from './drivers/netbird/netbird-jobs.js';
import { NOTIFY_NETWORK_OWNERS, SEND_NETWORK_NOTICE } from './notices/owner-notice/owner-notice.actions.js';
import { checkPorts } from './graph/tenant/tenant.actions.js';
import { PUBLISH_STALE_PEERS } from './graph/peer/staleness.actions.js';
import type { NetworkRuntime } from './services.js';

const ALWAYS: readonly JobDefinition<NetworkRuntime>[] = [
  PUBLISH_STALE_PEERS,
  PUBLISH_AUTHORITY_PHASES,
  NOTIFY_VM_JOINED,
  CHECK_ATTACHED_VM,
  DELETE_EXPIRED_ADDRESSES,
  NOTIFY_NETWORK_OWNERS,
  SEND_NETWORK_NOTICE,
];

/** The background jobs of the network subgraph. */
export function jobsOf({ own }: SubgraphSettings<NetworkConfig>): readonly JobDefinition<NetworkRuntime>[] {
  return own.netbird ? [...ALWAYS, NETBIRD_RECONCILIATION, NETBIRD_DRIFT] : ALWAYS;
}

/** Runs at the start: checks the ports, and has changes of graphs written to NetBird. @throws ConfigError */
export async function prepareNetwork(runtime: NetworkRuntime, own: NetworkConfig): Promise<void> {
  if (!own.netbird) await checkPorts(runtime.database, own.lighthousePort);
  watchGraphs(runtime);
}
