/** The node answered and refused. */
export class RpcRefusal extends Error {}

/** How long a node may take to answer. */
const TIME_LIMIT_MS = 10_000;

/** JSON-RPC 2.0 over HTTP. The address may hold a key: errors never show it. */
export class JsonRpc {
  private sent = 0;

  /** @param reach how the address is reached, where not over the network */
  constructor(
    private readonly url: string,
    private readonly reach: typeof fetch = fetch,
  ) {}

  /** Calls a method. @throws RpcRefusal with the node's own words, Error when it does not answer in time or not in JSON */
  async call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const id = ++this.sent;
    const response = await this.reach(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    }).catch((error: unknown) => {
      throw new Error(`${method}: the node does not answer (${nameOf(error)})`);
    });
    const answer = (await response.json().catch(() => ({}))) as { result?: Result; error?: { message?: unknown } };
    if (answer.error) throw new RpcRefusal(`${method}: ${String(answer.error.message).slice(0, 300)}`);
    if (!response.ok || !('result' in answer))
      throw new Error(`${method}: the node answers ${response.status}, not JSON-RPC`);
    return answer.result;
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
