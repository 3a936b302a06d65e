import { setTimeout as delay } from 'node:timers/promises';
import { SingleFlight } from '../../../kernel/concurrency/single-flight.js';
import { errorCode } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/telemetry/log.js';
import type { SubgraphClient } from '../../../kernel/subgraph/subgraph-client.js';
import type { Viewer } from '../../../kernel/security/viewer.js';

const TOKEN_CHANGED = 'subscription TokenChanged { tokenChanged }';

/** Delay before the stream of accounts is opened again after an error, and before a failed lookup is repeated. */
const RETRY_MS = 1_000;

/** Tokens that are looked up at once when all are checked. */
const CHECKED_AT_ONCE = 100;

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
  /** Sockets whose tokens have not been looked up yet. Those that begin during a lookup share the next one. */
  private readonly unconfirmed = new Map<string, Set<TokenSocket>>();
  private readonly sweeps = new SingleFlight<'all', void>();
  private readonly stop = new AbortController();

  constructor(
    private readonly accounts: SubgraphClient,
    private readonly log: Logger,
  ) {}

  /**
   * Watches a socket until the returned function is called. Also looks its token up now: a change between its admission
   * and this call was reported when nobody watched it.
   */
  watch(socket: TokenSocket): () => void {
    const sockets = this.sockets.get(socket.tokenId) ?? new Set();
    this.sockets.set(socket.tokenId, sockets.add(socket));
    const unconfirmed = this.unconfirmed.get(socket.tokenId);
    if (unconfirmed) unconfirmed.add(socket);
    else void this.confirm(socket.tokenId, new Set([socket]));
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
    const broken = new AbortController();
    const stream = await this.accounts.subscribe(request, AbortSignal.any([signal, broken.signal]));
    // In the background, so that a token that is revoked meanwhile does not wait.
    const sweep = () => {
      this.sweeps.refresh('all', () => this.checkAll()).catch((error: unknown) => broken.abort(error));
    };
    sweep();
    for await (const { data } of stream) {
      const id = data?.tokenChanged;
      if (typeof id === 'string') await this.check(id);
      else sweep();
    }
    broken.signal.throwIfAborted();
  }

  /** @throws the first error of a lookup, when all tokens are looked up */
  private async checkAll(): Promise<void> {
    const remaining = [...this.sockets.keys()];
    const errors: unknown[] = [];
    const checkInTurn = async () => {
      for (let id = remaining.pop(); id !== undefined; id = remaining.pop())
        await this.check(id).catch((error: unknown) => void errors.push(error));
    };
    await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, checkInTurn));
    if (errors.length > 0) throw errors[0];
  }

  private check(tokenId: string): Promise<void> {
    // One that begins meanwhile looks its token up itself.
    return compareAll([...(this.sockets.get(tokenId) ?? [])]);
  }

  /** Looks a token up, for all sockets that begin to be watched until that succeeds. */
  private async confirm(tokenId: string, unconfirmed: Set<TokenSocket>): Promise<void> {
    const { signal } = this.stop;
    this.unconfirmed.set(tokenId, unconfirmed);
    while (unconfirmed.size > 0 && !signal.aborted) {
      const begun = [...unconfirmed].filter((socket) => this.sockets.get(tokenId)?.has(socket));
      unconfirmed.clear();
      try {
        await compareAll(begun);
      } catch {
        for (const socket of begun) unconfirmed.add(socket);
        await pause(RETRY_MS, signal);
      }
    }
    this.unconfirmed.delete(tokenId);
  }
}

async function compareAll(sockets: readonly TokenSocket[]): Promise<void> {
  let viewer: Viewer | undefined;
  for (const socket of sockets) {
    // The access tokens of one session have one id and end at different times.
    viewer ??= await find(socket);
    socket.compare(viewer);
  }
}

/** Returns undefined when the token has ended. */
function find({ findViewer }: TokenSocket): Promise<Viewer | undefined> {
  return findViewer().catch(undefinedWhenUnauthenticated);
}

/** Other errors do not close sockets: they also end the stream, and all tokens are checked when it opens again. */
function undefinedWhenUnauthenticated(error: unknown): undefined {
  if (errorCode(error) !== 'UNAUTHENTICATED') throw error;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
