import type { Logger } from '../../../../kernel/telemetry/log.js';
import { unavailable } from '../../../../kernel/errors.js';
import { breachesOf } from './isolation.rules.js';
import type { NetbirdApi } from '../netbird-api/netbird-api.js';
import { pathOf } from '../netbird-api/netbird-paths.rules.js';

/** For how long a server that keeps tenants apart is trusted to. */
const TRUST_MS = 60_000;

/** Watches that machines of different tenants cannot reach each other but by policies of ours. */
export class Isolation {
  private trustedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly api: NetbirdApi) {}

  /** @throws UNAVAILABLE where somebody else's policy opens all machines to one another, NetbirdSilence, NetbirdRefusal */
  async demand(log: Logger): Promise<void> {
    if (performance.now() < this.trustedUntilMs) return;
    const breaches = breachesOf(await this.api.list(pathOf('policy', null)), this.api.config.installation);
    if (breaches.length > 0) {
      tellBreaches(log, breaches);
      throw unavailable(
        'The network’s management server does not isolate networks from each other; its operator must fix this.',
      );
    }
    this.trustedUntilMs = performance.now() + TRUST_MS;
  }
}

/** Tells the operator what to do. */
export function tellBreaches(log: Logger, policies: readonly string[]): void {
  if (policies.length > 0)
    log.error({ policies }, 'policies on the NetBird server connect machines of all tenants: delete or disable them');
}
