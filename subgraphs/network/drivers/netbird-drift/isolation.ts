import type { Logger } from '../../../../kernel/telemetry/log.js';
import { unavailable } from '../../../../kernel/errors.js';
import { breachesOf } from './isolation.rules.js';
import type { NetbirdApi } from '../netbird-api/netbird-api.js';
import { pathOf } from '../netbird-api/netbird-paths.rules.js';

/** How long a successful isolation check stays valid. */
const CHECK_TTL_MS = 60_000;

/** Checks that machines of different tenants can reach each other only by policies of the platform. */
export class Isolation {
  private validUntilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly api: NetbirdApi) {}

  /** @throws UNAVAILABLE when another policy connects all machines, NetbirdOutage, NetbirdRefusal */
  async check(log: Logger): Promise<void> {
    if (performance.now() < this.validUntilMs) return;
    const breaches = breachesOf(await this.api.list(pathOf('policy', null)), this.api.config.installation);
    if (breaches.length > 0) {
      logBreaches(log, breaches);
      throw unavailable(
        'The network’s management server does not isolate networks from each other; its operator must fix this.',
      );
    }
    this.validUntilMs = performance.now() + CHECK_TTL_MS;
  }
}

/** Logs what the operator must do. */
export function logBreaches(log: Logger, policies: readonly string[]): void {
  if (policies.length > 0)
    log.error({ policies }, 'policies on the NetBird server connect machines of all tenants: delete or disable them');
}
