import type { SandboxChainName } from '../../payments/chain/sandbox-chains.js';
import type { AccountsRuntime } from '../../services.js';
import { EVM_METHODS } from './evm-methods.js';
import { RpcFault, type RpcMethods } from './rpc-fault.js';
import { SUBSTRATE_METHODS } from './substrate-methods.js';

const METHODS: Readonly<Record<SandboxChainName, RpcMethods>> = {
  'sandbox-evm': EVM_METHODS,
  'sandbox-substrate': SUBSTRATE_METHODS,
};

/** Answers one JSON-RPC 2.0 request like a node of the chain. Batches are refused. */
export async function answerRpc(runtime: AccountsRuntime, chain: SandboxChainName, body: string): Promise<object> {
  const request = parseRequest(body);
  if (request instanceof RpcFault)
    return { jsonrpc: '2.0', id: null, error: { code: request.code, message: request.message } };
  const { id, method, params } = request;
  const head = { jsonrpc: '2.0', id };
  try {
    const answer = Object.hasOwn(METHODS[chain], method) ? METHODS[chain][method] : undefined;
    if (!answer) throw new RpcFault(-32601, 'The sandbox speaks a part of the API only: it does not know this method.');
    return { ...head, result: await answer(runtime, params) };
  } catch (error) {
    if (error instanceof RpcFault) return { ...head, error: { code: error.code, message: error.message } };
    throw error;
  }
}

interface RpcRequest {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown[];
}

/** Parses a request object; returns an error object if it is invalid. Source: JSON-RPC 2.0, Error object */
function parseRequest(body: string): RpcRequest | RpcFault {
  const value = parseJson(body);
  if (value === undefined) return new RpcFault(-32700, 'The body is not valid JSON.');
  const { id, method, params } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof method !== 'string') return new RpcFault(-32600, 'The body is not one JSON-RPC 2.0 request.');
  const isId = typeof id === 'string' || typeof id === 'number';
  return { id: isId ? id : null, method, params: Array.isArray(params) ? params : [] };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
