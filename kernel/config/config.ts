import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { blobStoreUrl } from './blob-store-url.js';
import {
  ConfigError,
  headerSecret,
  HTTP,
  linesOf,
  listOf,
  oneOf,
  readAll,
  text,
  settings,
  urlOf,
  wholeNumber,
  withoutSlash,
  type Environment,
  type Outputs,
  type Schemas,
} from './environment.js';
import { tracesUrl } from './traces-url.js';

export const SUBGRAPH_NAMES = ['accounts', 'infrastructure', 'network', 'sync'] as const;
export type SubgraphName = (typeof SUBGRAPH_NAMES)[number];

/** The directory of all that the platform keeps, as an absolute path. */
export const dataDir = ['DATA_DIR', text.default('./.data').transform((path) => resolve(path))] as const;

const publicUrl = urlOf(...HTTP)
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment.')
  .transform(withoutSlash);

const dataKey = text
  .transform((key) => Buffer.from(key, 'base64'))
  .refine((key) => key.length === 32, 'must be 32 bytes in base64.');

const address = text.refine(isNetwork, {
  error: ({ input }) => `names "${String(input)}"; write IP addresses or networks such as 10.0.0.0/8.`,
});

const subgraphUrl = text
  .transform((item) => item.split(/=(.*)/s))
  .superRefine(([name = '', url = ''], context) => {
    if (!isSubgraphName(name)) context.addIssue(`names "${name}"; the subgraphs are ${SUBGRAPH_NAMES.join(', ')}.`);
    else if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      context.addIssue(`gives "${url}" for ${name}; write ${name}=http://host:port.`);
  })
  .transform(([name, url = '']) => [name as SubgraphName, withoutSlash(url)] as const);

/** What more than one subgraph, or the gateway, reads. Source: operating contract, Environment */
const SHARED = settings(
  {
    host: ['HOST', text.default('127.0.0.1')],
    /** Undefined where the caller has a default of its own. */
    port: ['PORT', wholeNumber(0, 65_535).optional()],
    /** The address clients see, without a trailing slash; undefined: follows the port. */
    publicUrl: ['PUBLIC_URL', publicUrl.optional()],
    dataDir,
    /** Encrypts secrets at rest, 32 bytes; undefined: a key under `dataDir`, which replicas do not share. */
    dataKey: ['DATA_KEY', dataKey.optional()],
    /** Undefined: the embedded PostgreSQL under `dataDir`. */
    databaseUrl: ['DATABASE_URL', urlOf('postgres:', 'postgresql:').optional()],
    /** Undefined: events go through PostgreSQL. */
    eventsUrl: ['EVENTS_URL', urlOf('nats:', 'tls:').optional()],
    /** Undefined: a directory under `dataDir`. */
    blobStore: ['BLOB_URL', blobStoreUrl.optional()],
    awsRegion: ['AWS_REGION', text.default('us-east-1')],
    /** The required value of `X-Billing-Bypass`; undefined: the header is ignored. */
    billingBypass: ['BILLING_BYPASS_SECRET', headerSecret.min(16, 'must have at least 16 characters.').optional()],
    /** Subgraphs that run elsewhere and the URL of each. */
    subgraphUrls: ['SUBGRAPHS', listOf(subgraphUrl).transform((urls) => new Map(urls))],
    /** The first is sent, any is accepted, so that one can be rotated; empty: none was set. */
    subgraphSecrets: ['SUBGRAPH_SECRET', listOf(text)],
    adminToken: ['ADMIN_TOKEN', headerSecret.optional()],
    logLevel: ['LOG_LEVEL', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent').default('info')],
    /** Where traces are sent, by OTLP over HTTP; undefined: nowhere. */
    tracesUrl: ['TELEMETRY', tracesUrl.optional()],
    /** Wallet verifications, and refused attempts to join a private network, per minute and client address. */
    verificationsPerMinute: ['VERIFICATIONS_PER_MINUTE', wholeNumber(1, 999_999_999).default(30)],
    /** Proxies whose X-Forwarded-For is trusted: addresses or networks like 10.0.0.0/8. */
    trustedProxies: ['TRUSTED_PROXIES', listOf(address)],
  },
  ({ subgraphUrls, subgraphSecrets }) => ({
    SUBGRAPHS:
      subgraphUrls.size > 0 &&
      subgraphSecrets.length === 0 &&
      'names subgraphs that run elsewhere: set SUBGRAPH_SECRET, the same on both sides.',
  }),
).transform(({ awsRegion, blobStore, ...rest }) => ({
  ...rest,
  blobStore: blobStore && { ...blobStore, region: blobStore.region ?? awsRegion },
}));

export type Config = z.infer<typeof SHARED>;

/** An S3-compatible store; its keys come from the usual AWS_* variables, which the client reads itself. */
export type BlobStoreConfig = NonNullable<Config['blobStore']>;

/** The shared settings and, by their names, those of some subgraphs. */
export type PlatformConfig = Config & { readonly [Name in SubgraphName]?: unknown };
export type ConfigWith<Own extends Schemas> = Config & Outputs<Own>;

/** Reads and checks the whole environment. @throws ConfigError with one line for each variable at fault: its name and what it may hold */
export function readConfig<Own extends Schemas>(own: Own, env: Environment = process.env): ConfigWith<Own> {
  const issues: z.core.$ZodRawIssue[] = [];
  const { shared } = readAll({ shared: SHARED }, env, issues);
  const ofSubgraphs = readAll(own, env, issues);
  if (issues.length > 0) throw new ConfigError(linesOf(issues).join('\n'));
  return { ...shared, ...ofSubgraphs };
}

/** When the command was given, as milliseconds since 1970: `scripts/run.js` says so, else this process began with it. */
export function startedAtMs(env: Environment = process.env): number {
  return Number(env.ARCHIPELAGO_STARTED_MS) || performance.timeOrigin;
}

function isNetwork(network: string): boolean {
  const [ip = '', prefix] = network.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(ip)] ?? -1;
  return bits > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
}

export function isSubgraphName(name: string): name is SubgraphName {
  return SUBGRAPH_NAMES.some((known) => known === name);
}

/** What PostgreSQL sees of our environment: no PG* variable, no odd locale. */
export function serverEnvironment(env: Environment = process.env): Record<string, string> {
  const { PATH, SystemRoot } = env;
  return { LC_ALL: 'C', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }) };
}
