import { AbiCoder, HDNodeWallet, Interface } from 'ethers';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../../kernel/package-root.js';
import { freePort } from '../arrangements.js';
import type { Json } from '../platform.js';

/** Deadline of the start and of each call, because the node may accept connections and not answer. */
const TIMEOUT_MS = 30_000;

const MNEMONIC = 'test test test test test test test test test test test junk';

/** Parent key of the deposit addresses. Only the operator has its private key. */
export const OPERATOR = HDNodeWallet.fromPhrase(MNEMONIC, '', `m/44'/60'/7'`);

/** A local Ethereum node with tokens. It mines a block for each transaction. */
export class EvmNode {
  private owner = '';

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(): Promise<EvmNode> {
    const port = await freePort();
    const words = ['--server.port', `${port}`, '--wallet.mnemonic', MNEMONIC, '--logging.quiet'];
    const child = spawn(process.execPath, [join(packageRoot(), 'node_modules/ganache/dist/node/cli.js'), ...words], {
      stdio: 'ignore',
    });
    const node = new EvmNode(`http://127.0.0.1:${port}`, child);
    const deadlineMs = Date.now() + TIMEOUT_MS;
    while (child.exitCode === null && Date.now() < deadlineMs) {
      const accounts = await node.call('eth_accounts').catch(() => undefined);
      if (accounts) return Object.assign(node, { owner: accounts[0] });
      await delay(50);
    }
    child.kill('SIGKILL');
    throw new Error('the node did not start');
  }

  async stop(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exit;
  }

  async call(method: string, ...params: unknown[]): Promise<Json> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { result, error } = (await response.json()) as Json;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** Deploys an ERC-20 token of OpenZeppelin with 18 decimals, or with 6. */
  async deployToken(symbol: string, { decimals }: { decimals: 6 | 18 }): Promise<string> {
    const supply = [symbol, symbol, 10n ** 15n, this.owner];
    const words = AbiCoder.defaultAbiCoder().encode(['string', 'string', 'uint256', 'address'], supply).slice(2);
    // `decimals()` of the preset returns a literal; these bytes occur only there.
    const code = decimals === 18 ? TOKEN_CODE : TOKEN_CODE.replace('5b60405160128152', '5b60405160068152');
    const hash = await this.call('eth_sendTransaction', { from: this.owner, data: code + words, gas: '0x300000' });
    return (await this.call('eth_getTransactionReceipt', hash)).contractAddress;
  }

  /** Transfers base units of a token. Returns the transaction hash. */
  pay(token: string, to: string, units: number): Promise<string> {
    const data = ERC20.encodeFunctionData('transfer', [to, units]);
    // With a fixed gas price the same payment has the same hash on another fork.
    const fees = { gas: '0x30000', gasPrice: '0x4a817c800' };
    return this.call('eth_sendTransaction', { from: this.owner, to: token, data, ...fees });
  }

  /** Mines empty blocks. */
  async mine(blocks: number): Promise<void> {
    for (let block = 0; block < blocks; block++) await this.call('evm_mine');
  }
}

const ERC20 = new Interface(['function transfer(address to, uint256 amount) returns (bool)']);

const { bytecode: TOKEN_CODE } = JSON.parse(
  readFileSync(
    join(packageRoot(), 'node_modules/@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json'),
    'utf8',
  ),
) as { bytecode: string };
