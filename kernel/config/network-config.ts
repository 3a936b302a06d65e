import {
  ConfigError,
  HTTP,
  readList,
  readMatching,
  readNumber,
  readOneOf,
  readUrl,
  type Environment,
} from './environment.js';

/** How machines of private networks find each other. */
export interface NetworkConfig {
  /** Public hosts of machines that run `npm run lighthouse`; empty: the host of the platform's own address. */
  readonly lighthouses: readonly string[];
  /** UDP port of the first network there; the others follow. */
  readonly lighthousePort: number;
  /** Which of them `npm run lighthouse` is here, from 1. */
  readonly lighthouseNumber: number;
  /** A NetBird server that carries the networks; undefined: our own overlay does. */
  readonly netbird: NetbirdConfig | undefined;
  readonly compileLimits: CompileLimits;
}

/** A NetBird management server. */
export interface NetbirdConfig {
  /** Without a trailing slash. */
  readonly url: string;
  /** Of a service user that may change everything there. */
  readonly token: string;
  /** What names of our objects begin with, so that several platforms may share a server. */
  readonly installation: string;
}

/** What compiling a network may take at a time. */
export interface CompileLimits {
  /** Of a processor. */
  readonly timeMs: number;
  /** Of the heap, and again of the texts that come of it. */
  readonly memoryMib: number;
}

const MAX_LIGHTHOUSES = 3;
const DEFAULT_PORT = 4242;
const COMPILE_MS = 20_000;
const COMPILE_MIB = 512;

/** @throws ConfigError */
export function readNetwork(env: Environment): NetworkConfig {
  const lighthouses = readList(env, 'LIGHTHOUSES');
  const odd = lighthouses.find((host) => !/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/i.test(host));
  if (odd !== undefined)
    throw new ConfigError(`LIGHTHOUSES names "${odd}"; write hosts without a port, e.g. lighthouse.example.org.`);
  if (lighthouses.length > MAX_LIGHTHOUSES)
    throw new ConfigError(`LIGHTHOUSES names ${lighthouses.length} hosts; it may name ${MAX_LIGHTHOUSES}.`);
  const lighthousePort = readNumber(env, 'LIGHTHOUSE_PORT', { from: 1, to: 65_535 }) ?? DEFAULT_PORT;
  const most = Math.max(1, lighthouses.length);
  const lighthouseNumber = readNumber(env, 'LIGHTHOUSE_NUMBER', { from: 1, to: most }) ?? 1;
  const compileLimits = {
    timeMs: readNumber(env, 'COMPILE_LIMIT_MS', { from: 1, to: 999_999 }) ?? COMPILE_MS,
    memoryMib: readNumber(env, 'COMPILE_LIMIT_MIB', { from: 10, to: 999_999 }) ?? COMPILE_MIB,
  };
  const netbird = readNetbird(env);
  return { lighthouses, lighthousePort, lighthouseNumber, netbird, compileLimits };
}

function readNetbird(env: Environment): NetbirdConfig | undefined {
  const engine = readOneOf(env, 'NETWORK_ENGINE', ['nebula', 'netbird']) ?? 'nebula';
  const url = readUrl(env, 'NETBIRD_URL', HTTP)?.replace(/\/+$/, '');
  const token = readMatching(env, 'NETBIRD_TOKEN', /^[\x21-\x7e]+$/);
  const installation = readMatching(env, 'NETBIRD_PREFIX', /^[a-z][a-z0-9]{0,19}$/) ?? 'arp';
  if (engine === 'nebula') return undefined;
  // It becomes part of a command that people paste.
  if (url === undefined || !/^https?:\/\/[\w.:[\]/-]+$/.test(url))
    throw new ConfigError(
      'NETWORK_ENGINE is "netbird": set NETBIRD_URL to its server without a user, e.g. https://netbird.example.org.',
    );
  if (token === undefined)
    throw new ConfigError('NETWORK_ENGINE is "netbird": set NETBIRD_TOKEN to the token of a service user there.');
  return { url, token, installation };
}
