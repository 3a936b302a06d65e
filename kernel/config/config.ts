import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { z } from 'zod';
import {
  ConfigError,
  headerSecret,
  HTTP,
  linesOf,
  listOf,
  matching,
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
import { traceHeaders, tracesUrl } from './traces-url.js';
import { trustedDocuments } from './trusted-documents.js';

export const SUBGRAPH_NAMES = ['accounts', 'infrastructure', 'network', 'sync'] as const;
export type SubgraphName = (typeof SUBGRAPH_NAMES)[number];

/** Default of the connections of a subgraph for statements. Two platforms stay below the 200 of PostgreSQL. */
export const POOL_SIZE = 16;

/** The directory of all platform data, as an absolute path. */
export const dataDir = ['DATA_DIR', text.default('./.data').transform((path) => resolve(path))] as const;

const publicUrl = urlOf(...HTTP)
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment.')
  .transform(withoutSlash);

/** A secret that an attacker cannot try out. */
const longSecret = headerSecret.min(16, 'must have at least 16 characters.');

/** What Node sends in a header; a blank inside is no fault. */
const subgraphSecret = matching(
  /^[\t\x20-\x7e\x80-\xff]+$/,
  'of characters that can be sent in a header: no line breaks, none outside Latin-1',
);

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

const subgraphUrlList = listOf(subgraphUrl)
  .superRefine((urls, context) => {
    const names = urls.map(([name]) => name);
    const repeated = names.find((name, index) => names.indexOf(name) !== index);
    if (repeated !== undefined) context.addIssue(`names ${repeated} twice; write one URL for each subgraph.`);
  })
  .transform((urls) => new Map(urls));

/** Settings that the gateway or more than one subgraph reads. */
const SHARED = settings(
  {
    host: ['HOST', text.default('127.0.0.1')],
    /** Undefined: the default of the entry point. */
    port: ['PORT', wholeNumber(0, 65_535).optional()],
    /** The address that clients see, without a trailing slash; undefined: derived from the port. */
    publicUrl: ['PUBLIC_URL', publicUrl.optional()],
    dataDir,
    /** The first encrypts secrets at rest and all decrypt, so that a key can be rotated; empty: a key file under `dataDir`, which replicas do not share. */
    dataKeys: ['DATA_KEY', listOf(dataKey)],
    /** Undefined: the embedded PostgreSQL under `dataDir`. */
    databaseUrl: ['DATABASE_URL', urlOf('postgres:', 'postgresql:').optional()],
    /** The same database through PgBouncer in transaction mode, for statements of requests and jobs; undefined: `databaseUrl`. */
    databasePoolUrl: ['DATABASE_POOL_URL', urlOf('postgres:', 'postgresql:').optional()],
    /** Maximum number of connections of each subgraph for statements; more processes need less. */
    databasePoolSize: ['DATABASE_POOL_SIZE', wholeNumber(8, 500).default(POOL_SIZE)],
    /** A streaming replica of the database for searches and other large reads; undefined: none. */
    databaseReplicaUrl: ['DATABASE_REPLICA_URL', urlOf('postgres:', 'postgresql:').optional()],
    /** Undefined: events go through PostgreSQL. */
    eventsUrl: ['EVENTS_URL', urlOf('nats:', 'tls:').optional()],
    /** The required value of `X-Billing-Bypass`; undefined: the header is ignored. */
    billingBypass: ['BILLING_BYPASS_SECRET', longSecret.optional()],
    /** The URLs of subgraphs in other processes. */
    subgraphUrls: ['SUBGRAPHS', subgraphUrlList],
    /** The first is sent and all are accepted, so that a secret can be rotated; empty: not set. */
    subgraphSecrets: ['SUBGRAPH_SECRET', listOf(subgraphSecret)],
    adminToken: ['ADMIN_TOKEN', headerSecret.optional()],
    /** Each is accepted as the token of /metrics, so that it can be rotated; empty: the gateway asks for none. */
    metricsTokens: ['METRICS_TOKEN', listOf(longSecret)],
    logLevel: ['LOG_LEVEL', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent').default('info')],
    /** The OTLP/HTTP endpoint for traces; undefined: no tracing. */
    tracesUrl: ['TELEMETRY', tracesUrl.optional()],
    /** Sent with traces; the key of the collector. */
    tracesHeaders: ['OTEL_EXPORTER_OTLP_HEADERS', traceHeaders],
    /** Maximum milliseconds until ended spans are sent. */
    tracesDelayMs: ['OTEL_BSP_SCHEDULE_DELAY', wholeNumber(1, 60_000).default(1_000)],
    /** The only documents that clients may execute, by hash or id; undefined: all. */
    trustedDocuments: ['TRUSTED_DOCUMENTS', trustedDocuments],
    /** Maximum per minute and client address: wallet verifications, and refused attempts to join a private network. */
    verificationsPerMinute: ['VERIFICATIONS_PER_MINUTE', wholeNumber(1, 999_999_999).default(30)],
    /** Requests a second of one user, and of one client network, in each process of the gateway; 0: no limit. */
    ratePerUser: ['RATE_PER_USER', wholeNumber(0, 999_999_999).default(20_000)],
    ratePerAddress: ['RATE_PER_ADDRESS', wholeNumber(0, 999_999_999).default(40_000)],
    /** Days after which entries of the audit log are deleted. */
    auditDays: ['AUDIT_DAYS', wholeNumber(1, 36_500).default(400)],
    /** Proxies whose X-Forwarded-For is trusted: addresses or networks such as 10.0.0.0/8. */
    trustedProxies: ['TRUSTED_PROXIES', listOf(address)],
  },
  ({ databaseUrl, databasePoolUrl, databaseReplicaUrl, subgraphUrls, subgraphSecrets }) => ({
    DATABASE_POOL_URL:
      databasePoolUrl !== undefined &&
      databaseUrl === undefined &&
      'is for statements only: set DATABASE_URL to an address of the same database without PgBouncer.',
    DATABASE_REPLICA_URL:
      databaseReplicaUrl !== undefined &&
      databaseUrl === undefined &&
      'is a replica of DATABASE_URL, which is not set: the embedded PostgreSQL has none.',
    SUBGRAPHS:
      subgraphUrls.size > 0 &&
      subgraphSecrets.length === 0 &&
      'names subgraphs in other processes: set SUBGRAPH_SECRET to the same value on both sides.',
  }),
);

export type Config = z.infer<typeof SHARED>;

/** The shared settings, and the settings of some subgraphs by subgraph name. */
export type PlatformConfig = Config & { readonly [Name in SubgraphName]?: unknown };
export type ConfigWith<Own extends Schemas> = Config & Outputs<Own>;

/** Reads and checks the whole environment. @throws ConfigError with one line per invalid variable: its name and the allowed values */
export function readConfig<Own extends Schemas>(own: Own, env: Environment = process.env): ConfigWith<Own> {
  const issues: z.core.$ZodRawIssue[] = [];
  const { shared } = readAll({ shared: SHARED }, env, issues);
  const ofSubgraphs = readAll(own, env, issues);
  if (issues.length > 0) throw new ConfigError(linesOf(issues).join('\n'));
  return { ...shared, ...ofSubgraphs };
}

/** When the command started, in milliseconds since 1970: as set by `scripts/run.js`, else the start of this process. */
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

/** The environment of PostgreSQL processes: no PG* variables and a fixed locale. */
export function serverEnvironment(env: Environment = process.env): Record<string, string> {
  const { PATH, SystemRoot } = env;
  return { LC_ALL: 'C', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }) };
}
