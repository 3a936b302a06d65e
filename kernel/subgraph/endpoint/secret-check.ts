import type { IncomingMessage } from 'node:http';
import { matchesSecret } from '../../security/credentials.js';
import type { Logger } from '../../telemetry/log.js';

export const SECRET_HEADER = 'x-subgraph-secret';

/** Milliseconds between two lines in the log about wrong secrets. */
const LOG_INTERVAL_MS = 60_000;

/** Checks the secret of callers of a subgraph, and tells the operator of wrong ones. */
export class SecretCheck {
  private nextLogMs = 0;

  constructor(
    private readonly secrets: readonly string[],
    private readonly log: Pick<Logger, 'warn'> | undefined,
  ) {}

  passes(request: IncomingMessage): boolean {
    const secret = request.headers[SECRET_HEADER];
    if (typeof secret !== 'string') return false;
    const isKnown = matchesSecret(secret, this.secrets);
    if (!isKnown && secret !== '') this.logWrong(request);
    return isKnown;
  }

  private logWrong({ socket }: IncomingMessage): void {
    const nowMs = performance.now();
    if (nowMs < this.nextLogMs) return;
    this.nextLogMs = nowMs + LOG_INTERVAL_MS;
    this.log?.warn(
      { address: socket.remoteAddress },
      'a caller has a wrong SUBGRAPH_SECRET: set the same one for all processes',
    );
  }
}
