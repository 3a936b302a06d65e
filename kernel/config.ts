import { resolve } from 'node:path';

export const SUBGRAPH_NAMES = ['accounts', 'infrastructure', 'network', 'sync'] as const;
export type SubgraphName = (typeof SUBGRAPH_NAMES)[number];

export interface Config {
  readonly host: string;
  /** Undefined where the caller has a default of its own. */
  readonly port: number | undefined;
  /** The address clients see, without a trailing slash; undefined: follows the port. */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /** Undefined: the embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Undefined: events go through PostgreSQL. */
  readonly eventsUrl: string | undefined;
  /** Subgraphs that run elsewhere and the URL of each. */
  readonly subgraphUrls: ReadonlyMap<SubgraphName, string>;
  /** The first is sent, any is accepted, so that one can be rotated; empty: none was set. */
  readonly subgraphSecrets: readonly string[];
  readonly adminToken: string | undefined;
  readonly logLevel: string;
}

/** A variable that cannot be used; the message is one line for the operator. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks the whole environment. @throws ConfigError naming the variable, what it holds and what it may hold */
export function readConfig(env: Environment = process.env): Config {
  const subgraphUrls = readSubgraphUrls(env);
  const subgraphSecrets = readList(env, 'SUBGRAPH_SECRET');
  if (subgraphUrls.size > 0 && subgraphSecrets.length === 0) {
    throw new ConfigError('SUBGRAPHS names subgraphs that run elsewhere: set SUBGRAPH_SECRET, the same on both sides.');
  }
  return {
    host: read(env, 'HOST') ?? '127.0.0.1',
    port: readPort(env),
    publicUrl: readUrl(env, 'PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    dataDir: resolve(read(env, 'DATA_DIR') ?? './.data'),
    databaseUrl: readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    eventsUrl: readUrl(env, 'EVENTS_URL', ['nats:', 'tls:']),
    subgraphUrls,
    subgraphSecrets,
    adminToken: readAdminToken(env),
    logLevel: readOneOf(env, 'LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'silent']) ?? 'info',
  };
}

function read(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

function readList(env: Environment, name: string): string[] {
  return (read(env, name) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function readPort(env: Environment): number | undefined {
  const value = read(env, 'PORT');
  if (value === undefined) return undefined;
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65535)
    throw new ConfigError(`PORT is "${value}"; it must be a number from 0 to 65535.`);
  return port;
}

function readUrl(env: Environment, name: string, protocols: readonly string[]): string | undefined {
  const value = read(env, name);
  if (value === undefined) return undefined;
  const allowed = protocols.map((protocol) => `${protocol}//`).join(' or ');
  // The value may hold a password: the complaint names the variable only.
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(`${name} is not a URL that starts with ${allowed}`);
  }
  return value;
}

function readOneOf(env: Environment, name: string, allowed: readonly string[]): string | undefined {
  const value = read(env, name);
  if (value !== undefined && !allowed.includes(value)) {
    throw new ConfigError(`${name} is "${value}"; it must be one of ${allowed.join(', ')}.`);
  }
  return value;
}

function readSubgraphUrls(env: Environment): Map<SubgraphName, string> {
  const urls = new Map<SubgraphName, string>();
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

function readAdminToken(env: Environment): string | undefined {
  const token = read(env, 'ADMIN_TOKEN');
  if (token !== undefined && /[^\x21-\x7e]/.test(token)) {
    throw new ConfigError('ADMIN_TOKEN must be printable ASCII without spaces, as it travels in a header.');
  }
  return token;
}

/** What PostgreSQL sees of our environment: no PG* variable, no odd locale. */
export function serverEnvironment(env: Environment = process.env): Record<string, string> {
  const { PATH, SystemRoot } = env;
  return { LC_ALL: 'C', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }) };
}
