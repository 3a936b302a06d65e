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
  notificationsOf(opened: OpenDeposit): Promise<string[]>;
  /** Kills the platform with SIGKILL and starts it again with the same data. */
  killAndRestart(meanwhile: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

/** The local chain of a platform, and what is released with it. */
interface LocalChain {
  readonly node: EvmNode;
  readonly proxy: NodeProxy;
  readonly dataDir: string;
  readonly close: () => Promise<void>;
}

/** Starts a platform in a process of its own, on a new database, with a local chain behind a proxy. */
export async function startEvmPlatform(): Promise<EvmPlatform> {
  const node = await EvmNode.start();
  const proxy = await openNodeProxy(node.url);
  const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-'));
  const close = async (): Promise<void> => {
    await proxy.stop();
    await node.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return startOn({ node, proxy, dataDir, close }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
}

async function startOn({ node, proxy, dataDir, close }: LocalChain): Promise<EvmPlatform> {
  const usdc = await node.deployToken('USDC', { decimals: 6 });
  const usdt = await node.deployToken('USDT', { decimals: 6 });
  const foreign = await node.deployToken('NONE', { decimals: 6 });
  const env = {
    // Otherwise the sandbox would pay TAO deposits.
    PAYPROC: 'off',
    EVM_RPC_URL: proxy.url,
    DEPOSIT_EVM_XPUB: OPERATOR.neuter().extendedKey,
    USDC_CONTRACT: usdc,
    USDT_CONTRACT: usdt,
    DEPOSIT_CONFIRMATIONS: `${CONFIRMATIONS}`,
    DATABASE_URL: await newDatabase(),
    DATA_DIR: dataDir,
  };
  let platform = await startInProcess(env);
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
    notificationsOf: async ({ user }) => {
      const statement = 'SELECT text FROM accounts.notification WHERE user_id = $1 ORDER BY id';
      return (await sql.query(statement, [user.userId])).rows.map(({ text }) => text);
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
      await close();
    },
  };
}
