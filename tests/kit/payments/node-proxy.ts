import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '../arrangements.js';

/** A proxy to a node, with the limits of public nodes, of which several may answer at one address. */
export interface NodeProxy {
  readonly url: string;
  /** Maximum number of blocks in a request for logs. */
  maxBlocks: number;
  /** How it answers a request for more. */
  excess: keyof typeof EXCESS;
  /** Whether it responds. */
  isOpen: boolean;
  /** Whether receipts come from a node that is up to date; else the node does not know the last blocks. */
  hasReceipts: boolean;
  /** Whether logs come from a node that is up to date; else the node does not have the last blocks, and finds nothing in them. */
  hasNewestLogs: boolean;
  /** The requests for logs so far: the number of addresses in each, null for all addresses. */
  readonly logRequests: (number | null)[];
  stop(): Promise<void>;
}

/** The answers of nodes, and of proxies before them, to a request for too many blocks. */
const EXCESS = {
  refused: (response: ServerResponse) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'too many blocks' } })),
  'a page': (response: ServerResponse) => response.writeHead(504).end('<html>Gateway Timeout</html>'),
  'no answer': (response: ServerResponse) => response.destroy(),
} as const;

export async function openNodeProxy(nodeUrl: string): Promise<NodeProxy> {
  const port = await freePort();
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { method, params } = JSON.parse(body);
    const [range] = method === 'eth_getLogs' ? params : [];
    if (range) proxy.logRequests.push(addressesIn(range));
    response.statusCode = proxy.isOpen ? 200 : 503;
    if (!proxy.isOpen) response.end();
    else if (isBehind(method, proxy))
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: range ? [] : null }));
    else if (range && Number(range.toBlock) - Number(range.fromBlock) >= proxy.maxBlocks)
      EXCESS[proxy.excess](response);
    else response.end(await (await fetch(nodeUrl, { method: 'POST', body, headers: JSON_TYPE })).text());
  };
  const server = createServer((request, response) => void pass(request, response)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const url = `http://127.0.0.1:${port}`;
  const proxy: NodeProxy = {
    url,
    maxBlocks: 10_000,
    excess: 'refused',
    isOpen: true,
    hasReceipts: true,
    hasNewestLogs: true,
    logRequests: [],
    stop,
  };
  return proxy;
}

/** Whether the request goes to a node that does not know the last blocks. */
function isBehind(method: string, { hasReceipts, hasNewestLogs }: NodeProxy): boolean {
  return (method === 'eth_getTransactionReceipt' && !hasReceipts) || (method === 'eth_getLogs' && !hasNewestLogs);
}

function addressesIn({ topics }: { readonly topics: readonly (readonly string[])[] }): number | null {
  return topics[2]?.length ?? null;
}

const JSON_TYPE = { 'content-type': 'application/json' };
