import type { Logger } from '../../kernel/log.js';
import type { SubgraphSource } from '../../kernel/source.js';

const TOKEN_REVOKED = 'subscription TokenRevoked { tokenRevoked }';

/** Milliseconds before accounts are listened to again after the stream broke. */
const RETRY_MS = 1_000;

/** A socket that lives as long as its token. */
export interface TokenSocket {
  readonly tokenId: string;
  /** Looks the token up again. @returns whether it still works */
  readonly isValid: () => Promise<boolean>;
  readonly close: () => void;
}

/** Closes sockets whose token is revoked: told by accounts at once, asked again after every break of that stream. */
export class Revocations {
  private readonly sockets = new Map<string, Set<TokenSocket>>();
  private readonly stop = new AbortController();

  constructor(
    private readonly accounts: SubgraphSource,
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
      query: TOKEN_REVOKED,
      variables: {},
      viewer: { kind: 'platform', subgraph: 'gateway' },
      requestId: 'revocations',
    } as const;
    const stream = await this.accounts.subscribe(request, signal);
    await this.checkAll();
    for await (const { data } of stream) {
      const id = data?.tokenRevoked;
      if (typeof id === 'string') for (const socket of this.sockets.get(id) ?? []) socket.close();
      else await this.checkAll();
    }
  }

  private async checkAll(): Promise<void> {
    for (const sockets of this.sockets.values()) {
      const [first] = sockets;
      if (first && !(await first.isValid())) for (const socket of sockets) socket.close();
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
