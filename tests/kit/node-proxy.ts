import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from './arrangements.js';

/** The way to a node, with the limits that public nodes have. */
export interface NodeProxy {
  readonly url: string;
  /** Blocks whose logs may be asked for at once. */
  mostBlocks: number;
  /** Whether it answers at all. */
  isOpen: boolean;
  stop(): Promise<void>;
}

export async function openNodeProxy(nodeUrl: string): Promise<NodeProxy> {
  const port = await freePort();
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { method, params } = JSON.parse(body);
    const [range] = method === 'eth_getLogs' ? params : [];
    response.statusCode = proxy.isOpen ? 200 : 503;
    if (!proxy.isOpen) response.end();
    else if (range && Number(range.toBlock) - Number(range.fromBlock) >= proxy.mostBlocks)
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'too many blocks' } }));
    else response.end(await (await fetch(nodeUrl, { method: 'POST', body, headers: JSON_TYPE })).text());
  };
  const server = createServer((request, response) => void pass(request, response)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const proxy: NodeProxy = { url: `http://127.0.0.1:${port}`, mostBlocks: 10_000, isOpen: true, stop };
  return proxy;
}

const JSON_TYPE = { 'content-type': 'application/json' };
