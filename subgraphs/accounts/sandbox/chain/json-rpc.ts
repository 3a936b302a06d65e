import type { SandboxChainName } from '../../payments/chain/sandbox-chains.js';
import type { AccountsRuntime } from '../../services.js';
import { EVM_METHODS } from './evm-methods.js';
import { RpcFault, type RpcMethods } from './rpc-fault.js';
import { SUBSTRATE_METHODS } from './substrate-methods.js';

const METHODS: Readonly<Record<SandboxChainName, RpcMethods>> = {
  'sandbox-evm': EVM_METHODS,
  'sandbox-substrate': SUBSTRATE_METHODS,
};

/** Answers one JSON-RPC 2.0 request as a node of the chain would. Batches are refused. */
export async function answerRpc(runtime: AccountsRuntime, chain: SandboxChainName, body: string): Promise<object> {
  const { id, method, params } = parseRequest(body);
  const head = { jsonrpc: '2.0', id };
  try {
    const answer = method !== undefined && Object.hasOwn(METHODS[chain], method) ? METHODS[chain][method] : undefined;
    if (!answer) throw new RpcFault(-32601, 'The sandbox speaks a part of the API only: it does not know this method.');
    return { ...head, result: await answer(runtime, params) };
  } catch (error) {
    if (error instanceof RpcFault) return { ...head, error: { code: error.code, message: error.message } };
    throw error;
  }
}

function parseRequest(body: string): { readonly id: unknown; readonly method?: string; readonly params: unknown[] } {
  const request = parseObject(body);
  const { id, method, params } = request;
  const isId = typeof id === 'string' || typeof id === 'number';
  return {
    id: isId ? id : null,
    ...(typeof method === 'string' && { method }),
    params: Array.isArray(params) ? params : [],
  };
}

function parseObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
