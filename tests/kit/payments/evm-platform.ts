import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startInProcess } from '../arrangements.js';
import { depositState, openDeposit, watchDeposits, type OpenDeposit } from './deposits.js';
import { end } from '../watch.js';
import { newDatabase } from '../database/own-database.js';
import { EvmNode, OPERATOR } from './evm.js';
import { openNodeProxy, type NodeProxy } from './node-proxy.js';
import type { Json } from '../platform.js';

/** Confirmations of a payment. */
export const CONFIRMATIONS = 3;

/** A platform that accepts USDC and USDT on a local chain. */
export interface EvmPlatform {
  readonly url: string;
  readonly node: EvmNode;
  /** The proxy between the platform and the node. */
  readonly proxy: NodeProxy;
  readonly sql: Client;
  /** Token contracts: two that the platform accepts, and one that it does not. */
  readonly tokens: { readonly usdc: string; readonly usdt: string; readonly foreign: string };
  open(currency: 'USDC' | 'USDT', amount: string): Promise<OpenDeposit>;
  stateOf(opened: OpenDeposit): Promise<Json>;
  watch(): Promise<Json>;
  /** Mines the confirmations of the payments, then polls the chain. */
  confirm(): Promise<void>;
  /** The notifications of the user, in order. */
  noticesOf(opened: OpenDeposit): Promise<string[]>;
  /** Kills the platform with SIGKILL and starts it again with the same data. */
  killAndRestart(meanwhile: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

export async function startEvmPlatform(): Promise<EvmPlatform> {
  const node = await EvmNode.start();
  const proxy = await openNodeProxy(node.url);
  const usdc = await node.deployToken('USDC', { decimals: 6 });
  const usdt = await node.deployToken('USDT', { decimals: 6 });
  const foreign = await node.deployToken('NONE', { decimals: 6 });
  const env = {
    // Without it the sandbox would pay TAO.
    PAYPROC: 'off',
    EVM_RPC_URL: proxy.url,
    DEPOSIT_EVM_XPUB: OPERATOR.neuter().extendedKey,
    USDC_CONTRACT: usdc,
    USDT_CONTRACT: usdt,
    DEPOSIT_CONFIRMATIONS: `${CONFIRMATIONS}`,
    DATABASE_URL: await newDatabase(),
    DATA_DIR: await mkdtemp(join(tmpdir(), 'archipelago-')),
  };
  let platform = await startInProcess(env).catch(async (error: unknown) => {
    await node.stop();
    throw error;
  });
  const sql = new Client({ connectionString: env.DATABASE_URL });
  await sql.connect();
  const watch = () => watchDeposits(platform.url);
  return {
    get url() {
      return platform.url;
    },
    node,
    proxy,
    sql,
    tokens: { usdc, usdt, foreign },
    open: (currency, amount) => openDeposit(currency, amount, platform.url),
    stateOf: (opened) => depositState(opened, platform.url),
    watch,
    confirm: async () => {
      await node.mine(CONFIRMATIONS);
      await watch();
    },
    noticesOf: async ({ user }) => {
      const notices = 'SELECT text FROM accounts.notification WHERE user_id = $1 ORDER BY id';
      return (await sql.query(notices, [user.userId])).rows.map(({ text }) => text);
    },
    killAndRestart: async (meanwhile) => {
      const child = platform.processes[0]?.child;
      if (child) await end(child, 'SIGKILL');
      await meanwhile();
      platform = await startInProcess(env);
    },
    stop: async () => {
      await sql.end();
      await platform.stop();
      await proxy.stop();
      await node.stop();
      await rm(env.DATA_DIR, { recursive: true, force: true });
    },
  };
}
