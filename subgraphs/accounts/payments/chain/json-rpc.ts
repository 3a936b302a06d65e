import type { Block } from './chain.js';

/** The node answered with an error, with something else than JSON-RPC, or not in time. */
export class RpcError extends Error {}

/** Timeout of a call in milliseconds. */
const TIMEOUT_MS = 10_000;

/** A JSON-RPC 2.0 client over HTTP. The URL may contain a key, so errors do not show it. */
export class JsonRpc {
  private sent = 0;

  /** @param fetchFrom replaces `fetch`, for nodes that are not reached over the network */
  constructor(
    private readonly url: string,
    private readonly fetchFrom: typeof fetch = fetch,
  ) {}

  /**
   * Calls a method. @throws RpcError, with the message of the node if it has sent one
   */
  async call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const id = ++this.sent;
    const response = await this.fetchFrom(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new RpcError(`${method}: the node does not answer (${nameOf(error)})`);
    });
    const answer = (await response.json().catch(() => ({}))) as { result?: Result; error?: { message?: unknown } };
    if (answer.error) throw new RpcError(`${method}: ${String(answer.error.message).slice(0, 300)}`);
    if (!response.ok || !('result' in answer))
      throw new RpcError(`${method}: the node answers ${response.status}, not JSON-RPC`);
    return answer.result;
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

/** The newest finalized block of a Substrate chain. */
export async function finalizedHead(rpc: JsonRpc): Promise<Block> {
  const hash = await rpc.call<string>('chain_getFinalizedHead', []);
  const { number } = await rpc.call<{ number: string }>('chain_getHeader', [hash]);
  return { number: Number(number), hash };
}
