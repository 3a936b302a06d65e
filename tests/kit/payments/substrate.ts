import { decodeAddress } from '@polkadot/util-crypto/address/decode';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { freePort } from '../arrangements.js';
import type { Json } from '../platform.js';

/** Storage keys, which are the same on every chain. Source: Substrate, twox128 of pallet and item */
const ACCOUNT_PREFIX = '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9';
const TIMESTAMP_KEY = '0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb';

interface Block {
  readonly timeMs: number;
  readonly balances: ReadonlyMap<string, bigint>;
}

/** A node with the Substrate JSON-RPC methods that balance polling needs. All its blocks are final. */
export class SubstrateNode {
  private readonly blocks: Block[] = [{ timeMs: Date.now(), balances: new Map() }];
  /** Whether it refuses requests. */
  isSilent = false;

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<SubstrateNode> {
    const port = await freePort();
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const { id, method, params } = (await json(request)) as Json;
      response.statusCode = node.isSilent ? 502 : 200;
      response.end(node.isSilent ? '' : JSON.stringify({ jsonrpc: '2.0', id, result: node.answer(method, params) }));
    };
    const server = createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1');
    const node = new SubstrateNode(`http://127.0.0.1:${port}`, server);
    await once(server, 'listening');
    return node;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  /** Adds a block that changes the balance of an address, in RAO; the time of the block is so much later than now. */
  pay(address: string, rao: bigint, laterMs = 0): void {
    const id = hex(decodeAddress(address));
    const balances = new Map(this.blocks.at(-1)?.balances);
    balances.set(id, (balances.get(id) ?? 0n) + rao);
    this.blocks.push({ timeMs: Date.now() + laterMs, balances });
  }

  private answer(method: string, params: Json): unknown {
    const at = (hash: string) => this.blocks[Number(BigInt(hash))];
    switch (method) {
      case 'chain_getFinalizedHead':
        return hashOf(this.height);
      case 'chain_getHeader':
        return { number: `0x${Number(BigInt(params[0])).toString(16)}` };
      case 'chain_getBlockHash':
        return params[0] <= this.height ? hashOf(params[0]) : null;
      case 'state_queryStorageAt': {
        const block = at(params[1]);
        return [
          { block: params[1], changes: params[0].map((key: string) => [key, block ? valueOf(key, block) : null]) },
        ];
      }
      default:
        throw new Error(`the test node does not have the method ${method}`);
    }
  }
}

function hashOf(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

function valueOf(key: string, { timeMs, balances }: Block): string | null {
  if (key === TIMESTAMP_KEY) return `0x${littleEndian(BigInt(timeMs), 8)}`;
  const balance = key.startsWith(ACCOUNT_PREFIX) ? balances.get(key.slice(-64)) : undefined;
  if (balance === undefined) return null;
  // nonce, consumers, providers, sufficients; free, reserved, frozen of 64 bits; flags
  return `0x${'01000000'.repeat(4)}${littleEndian(balance, 8)}${'00'.repeat(8 + 8 + 16)}`;
}

function littleEndian(value: bigint, bytes: number): string {
  return Array.from({ length: bytes }, (_, place) => hex([Number((value >> BigInt(8 * place)) & 255n)])).join('');
}

function hex(bytes: Iterable<number>): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
