import { errorCode } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/telemetry/log.js';
import type { SubgraphClient } from '../../kernel/subgraph/subgraph-client.js';
import type { Viewer } from '../../kernel/viewer.js';

const TOKEN_CHANGED = 'subscription TokenChanged { tokenChanged }';

/** Milliseconds before accounts are listened to again after the stream broke. */
const RETRY_MS = 1_000;

/** A socket that lives as long as its token says the same. */
export interface TokenSocket {
  readonly tokenId: string;
  /** Looks the token up again. @throws UNAUTHENTICATED when it is revoked or expired */
  readonly findViewer: () => Promise<Viewer>;
  /** Takes what was found; undefined: the token has ended. */
  readonly compare: (viewer: Viewer | undefined) => void;
}

/**
 * Lets sockets look again when their token is revoked or its holder is given other roles: told by accounts at once,
 * asked again after every break of that stream.
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
        this.log.warn({ err: error }, 'revoked tokens are not heard of for the moment');
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
    const viewer = await first.findViewer().catch(undefinedWhenRefused);
    for (const socket of this.sockets.get(tokenId) ?? []) socket.compare(viewer);
  }
}

/** Only a refusal ends a socket; when accounts cannot be asked, the stream breaks too and everyone is checked after it. */
function undefinedWhenRefused(error: unknown): undefined {
  if (errorCode(error) !== 'UNAUTHENTICATED') throw error;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
