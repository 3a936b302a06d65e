import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  readDeposits,
  readMail,
  readOidc,
  readPayments,
  type DepositConfig,
  type MailConfig,
  type OidcConfig,
  type PaymentConfig,
} from './accounts-config.js';
import {
  checkUrl,
  ConfigError,
  HTTP,
  read,
  readList,
  readNumber,
  readOneOf,
  readSecret,
  readUrl,
  type Environment,
} from './environment.js';
import { readMachines, type MachinesConfig } from './machines-config.js';
import { readNetwork, type NetworkConfig } from './network-config.js';
import { readRegistry, type RegistryConfig } from './registry-config.js';
import { readBlobStore, type BlobStoreConfig } from './sync-config.js';
import { readTelemetry } from './telemetry-config.js';

export const SUBGRAPH_NAMES = ['accounts', 'infrastructure', 'network', 'sync'] as const;
export type SubgraphName = (typeof SUBGRAPH_NAMES)[number];

export interface Config {
  readonly host: string;
  /** Undefined where the caller has a default of its own. */
  readonly port: number | undefined;
  /** The address clients see, without a trailing slash; undefined: follows the port. */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /** Seals secrets at rest, 32 bytes; undefined: a key under `dataDir`, which replicas do not share. */
  readonly dataKey: Buffer | undefined;
  readonly isProduction: boolean;
  /** Undefined: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Undefined: events go through PostgreSQL. */
  readonly eventsUrl: string | undefined;
  /** Undefined: a directory under `dataDir`. */
  readonly blobStore: BlobStoreConfig | undefined;
  /** What `X-Billing-Bypass` has to say; undefined: the header is ignored. */
  readonly billingBypass: string | undefined;
  /** Subgraphs that run elsewhere and the URL of each. */
  readonly subgraphUrls: ReadonlyMap<SubgraphName, string>;
  /** The first is sent, any is accepted, so that one can be rotated; empty: none was set. */
  readonly subgraphSecrets: readonly string[];
  readonly adminToken: string | undefined;
  readonly logLevel: string;
  /** Where traces are sent, by OTLP over HTTP; undefined: nowhere. */
  readonly tracesUrl: string | undefined;
  readonly payments: PaymentConfig;
  /** Social sign-in providers by their name in lower case. */
  readonly oidc: ReadonlyMap<string, OidcConfig>;
  /** Addresses that a social sign-in may return to, beside those below `publicUrl`; a trailing `*` stands for any rest. */
  readonly callbackUrls: readonly string[];
  readonly mail: MailConfig | undefined;
  readonly deposits: DepositConfig;
  /** Sources of the TAO price: JSON over HTTP. Empty: an administrator records it. */
  readonly taoPriceUrls: readonly string[];
  /** Wallet verifications, and attempts to join a private network that are refused, a minute and client address. */
  readonly verificationsPerMinute: number;
  /** Proxies whose X-Forwarded-For is believed: addresses or networks like 10.0.0.0/8. */
  readonly trustedProxies: readonly string[];
  /** Undefined: no models are indexed. */
  readonly registry: RegistryConfig | undefined;
  /** Where virtual machines run. */
  readonly machines: MachinesConfig;
  /** Webhooks may go to this machine, so that they can be tried on it: who may add one reads what listens there. */
  readonly webhooksToLoopback: boolean;
  readonly network: NetworkConfig;
}

/** How each setting is read; each throws ConfigError on a value that cannot be used. */
const READERS = {
  host: (env) => read(env, 'HOST') ?? '127.0.0.1',
  port: (env) => readNumber(env, 'PORT', { from: 0, to: 65_535 }),
  publicUrl: readPublicUrl,
  dataDir: readDataDir,
  dataKey: readDataKey,
  isProduction: (env) => env.NODE_ENV === 'production',
  databaseUrl: (env) => readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
  eventsUrl: (env) => readUrl(env, 'EVENTS_URL', ['nats:', 'tls:']),
  blobStore: readBlobStore,
  billingBypass: (env) => readSecret(env, 'BILLING_BYPASS_SECRET'),
  subgraphUrls: readSubgraphUrls,
  subgraphSecrets: (env) => readList(env, 'SUBGRAPH_SECRET'),
  adminToken: (env) => readSecret(env, 'ADMIN_TOKEN'),
  logLevel: (env) => readOneOf(env, 'LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'silent']) ?? 'info',
  tracesUrl: readTelemetry,
  payments: readPayments,
  oidc: readOidc,
  callbackUrls: (env) => readList(env, 'CALLBACK_URLS'),
  mail: readMail,
  deposits: readDeposits,
  taoPriceUrls: (env) => readList(env, 'TAO_PRICE_URLS').map((url) => checkUrl('TAO_PRICE_URLS', url, HTTP)),
  verificationsPerMinute: (env) => readNumber(env, 'VERIFICATIONS_PER_MINUTE', { from: 1, to: 999_999_999 }) ?? 30,
  trustedProxies: (env) => readList(env, 'TRUSTED_PROXIES').map(checkNetwork),
  registry: readRegistry,
  machines: (env) => readMachines(env, readDataDir(env)),
  webhooksToLoopback: (env) => readOneOf(env, 'WEBHOOKS_TO_LOOPBACK', ['0', '1']) === '1',
  network: readNetwork,
} satisfies { readonly [Name in keyof Config]: (env: Environment) => Config[Name] };

/** Reads and checks the whole environment. @throws ConfigError with one line for each setting at fault: the variable, what it holds and what it may hold */
export function readConfig(env: Environment = process.env): Config {
  const faults: string[] = [];
  const settings = Object.entries(READERS).map(([name, readSetting]) => {
    try {
      return [name, readSetting(env)] as const;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(error.message);
      return [name, undefined] as const;
    }
  });
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return Object.fromEntries(settings) as unknown as Config;
}

/** When the command was given, as milliseconds since 1970: `scripts/run.js` says so, else this process began with it. */
export function startedAtMs(env: Environment = process.env): number {
  return Number(env.ARCHIPELAGO_STARTED_MS) || performance.timeOrigin;
}

function readPublicUrl(env: Environment): string | undefined {
  const url = readUrl(env, 'PUBLIC_URL', ['http:', 'https:']);
  if (url !== undefined && /[?#]/.test(url)) throw new ConfigError('PUBLIC_URL must have no query and no fragment.');
  return url?.replace(/\/+$/, '');
}

function readDataDir(env: Environment): string {
  return resolve(read(env, 'DATA_DIR') ?? './.data');
}

function checkNetwork(network: string): string {
  const [address = '', prefix] = network.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (most < 0 || (prefix !== undefined && (!/^\d{1,3}$/.test(prefix) || Number(prefix) > most)))
    throw new ConfigError(`TRUSTED_PROXIES names "${network}"; write IP addresses or networks such as 10.0.0.0/8.`);
  return network;
}

function readDataKey(env: Environment): Buffer | undefined {
  const value = read(env, 'DATA_KEY');
  const key = value === undefined ? undefined : Buffer.from(value, 'base64');
  if (key && key.length !== 32) throw new ConfigError('DATA_KEY must be 32 bytes in base64.');
  return key;
}

function readSubgraphUrls(env: Environment): Map<SubgraphName, string> {
  const urls = new Map<SubgraphName, string>();
  if (readList(env, 'SUBGRAPHS').length > 0 && readList(env, 'SUBGRAPH_SECRET').length === 0)
    throw new ConfigError('SUBGRAPHS names subgraphs that run elsewhere: set SUBGRAPH_SECRET, the same on both sides.');
  for (const item of readList(env, 'SUBGRAPHS')) {
    const [name = '', url = ''] = item.split(/=(.*)/s);
    if (!isSubgraphName(name)) {
      throw new ConfigError(`SUBGRAPHS names "${name}"; the subgraphs are ${SUBGRAPH_NAMES.join(', ')}.`);
    }
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new ConfigError(`SUBGRAPHS gives "${url}" for ${name}; write ${name}=http://host:port.`);
    }
    urls.set(name, url.replace(/\/+$/, ''));
  }
  return urls;
}

export function isSubgraphName(name: string): name is SubgraphName {
  return SUBGRAPH_NAMES.some((known) => known === name);
}

/** What PostgreSQL sees of our environment: no PG* variable, no odd locale. */
export function serverEnvironment(env: Environment = process.env): Record<string, string> {
  const { PATH, SystemRoot } = env;
  return { LC_ALL: 'C', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }) };
}
