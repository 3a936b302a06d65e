import { ConfigError, read, readList, readMatching, readOneOf, type Environment } from './environment.js';

/** How machines of private networks find each other. */
export interface NetworkConfig {
  /** Public hosts of machines that run `npm run lighthouse`; empty: the host of the platform's own address. */
  readonly lighthouses: readonly string[];
  /** UDP port of the first network there; the others follow. */
  readonly lighthousePort: number;
  /** Which of them `npm run lighthouse` is here, from 1. */
  readonly lighthouseNumber: number;
  readonly compileLimits: CompileLimits;
}

/** What compiling a network may take at a time. */
export interface CompileLimits {
  /** Of a processor. */
  readonly timeMs: number;
  /** Of the heap, and again of the texts that come of it. */
  readonly memoryMib: number;
}

const MOST_LIGHTHOUSES = 3;
const DEFAULT_PORT = 4242;
const COMPILE_MS = 20_000;
const COMPILE_MIB = 512;

/** @throws ConfigError */
export function readNetwork(env: Environment): NetworkConfig {
  const lighthouses = readList(env, 'LIGHTHOUSES');
  const odd = lighthouses.find((host) => !/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/i.test(host));
  if (odd !== undefined)
    throw new ConfigError(`LIGHTHOUSES names "${odd}"; write hosts without a port, e.g. lighthouse.example.org.`);
  if (lighthouses.length > MOST_LIGHTHOUSES)
    throw new ConfigError(`LIGHTHOUSES names ${lighthouses.length} hosts; it may name ${MOST_LIGHTHOUSES}.`);
  const port = read(env, 'LIGHTHOUSE_PORT') ?? String(DEFAULT_PORT);
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535)
    throw new ConfigError(`LIGHTHOUSE_PORT is "${port}"; it must be a number from 1 to 65535.`);
  const number = readOneOf(env, 'LIGHTHOUSE_NUMBER', ['1', '2', '3']) ?? '1';
  const compileLimits = {
    timeMs: Number(readMatching(env, 'COMPILE_LIMIT_MS', /^[1-9]\d{0,5}$/) ?? COMPILE_MS),
    memoryMib: Number(readMatching(env, 'COMPILE_LIMIT_MIB', /^[1-9]\d{1,5}$/) ?? COMPILE_MIB),
  };
  return { lighthouses, lighthousePort: Number(port), lighthouseNumber: Number(number), compileLimits };
}
