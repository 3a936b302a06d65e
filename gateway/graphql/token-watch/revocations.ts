import { errorCode } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/telemetry/log.js';
import type { SubgraphClient } from '../../../kernel/subgraph/subgraph-client.js';
import type { Viewer } from '../../../kernel/security/viewer.js';

const TOKEN_CHANGED = 'subscription TokenChanged { tokenChanged }';

/** Delay before the stream of accounts is opened again after an error. */
const RETRY_MS = 1_000;

/** A websocket, or another long answer, that ends when its token ends or its viewer changes. */
export interface TokenSocket {
  readonly tokenId: string;
  /** Looks the token up again. @throws UNAUTHENTICATED when it is revoked or expired */
  readonly findViewer: () => Promise<Viewer>;
  /** Compares the new viewer with the old one; undefined: the token has ended. */
  readonly compare: (viewer: Viewer | undefined) => void;
}

/**
 * Checks the tokens of open websockets again when accounts reports a change: a revoked token or other roles. Checks all
 * tokens after the stream of accounts was interrupted.
 */
export class Revocations {
  private readonly sockets = new Map<string, Set<TokenSocket>>();
  private readonly stop = new AbortController();

  constructor(
    private readonly accounts: SubgraphClient,
    private readonly log: Logger,
  ) {}

  /** Watches a socket until the returned function is called. */
  watch(socket: TokenSocket): () => void {
    const sockets = this.sockets.get(socket.tokenId) ?? new Set();
    this.sockets.set(socket.tokenId, sockets.add(socket));
    return () => {
      sockets.delete(socket);
      if (sockets.size === 0) this.sockets.delete(socket.tokenId);
    };
  }

  /** Listens until `close`. */
  async listen(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      try {
        await this.readStream(signal);
      } catch (error) {
        this.log.warn({ err: error }, 'the stream of revoked tokens failed; it is opened again');
      }
      await pause(RETRY_MS, signal);
    }
  }

  close(): void {
    this.stop.abort();
  }

  private async readStream(signal: AbortSignal): Promise<void> {
    const request = {
      query: TOKEN_CHANGED,
      variables: {},
      viewer: { kind: 'platform', subgraph: 'gateway' },
      requestId: 'revocations',
    } as const;
    const stream = await this.accounts.subscribe(request, signal);
    await this.checkAll();
    for await (const { data } of stream) {
      const id = data?.tokenChanged;
      if (typeof id === 'string') await this.check(id);
      else await this.checkAll();
    }
  }

  private async checkAll(): Promise<void> {
    for (const tokenId of this.sockets.keys()) await this.check(tokenId);
  }

  private async check(tokenId: string): Promise<void> {
    const [first] = this.sockets.get(tokenId) ?? [];
    if (!first) return;
    const viewer = await first.findViewer().catch(undefinedWhenUnauthenticated);
    for (const socket of this.sockets.get(tokenId) ?? []) socket.compare(viewer);
  }
}

/** Other errors do not close sockets: they also end the stream, and all tokens are checked when it opens again. */
function undefinedWhenUnauthenticated(error: unknown): undefined {
  if (errorCode(error) !== 'UNAUTHENTICATED') throw error;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
