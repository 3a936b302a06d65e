import type { z } from 'zod';
import {
  chosenBy,
  group,
  HTTP,
  isUrlOf,
  listOf,
  matching,
  settings,
  text,
  wholeNumber,
  withoutSlash,
} from '../../kernel/config/environment.js';

const MAX_LIGHTHOUSES = 3;

const host = text.regex(/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/i, {
  error: ({ input }) => `names "${input}"; write hosts without a port, e.g. lighthouse.example.org.`,
});

/** Lighthouses, by which machines of private networks find each other. */
const LIGHTHOUSES = settings(
  {
    /** Public hosts that run `npm run lighthouse`; empty: the host of the platform's own URL. */
    lighthouses: [
      'LIGHTHOUSES',
      listOf(host).refine((hosts) => hosts.length <= MAX_LIGHTHOUSES, `may name ${MAX_LIGHTHOUSES} hosts.`),
    ],
    /** UDP port of the first network on a lighthouse; the other networks use the next ports. */
    lighthousePort: ['LIGHTHOUSE_PORT', wholeNumber(1, 65_535).default(4242)],
    /** Number of the lighthouse that `npm run lighthouse` runs on this host, from 1. */
    lighthouseNumber: ['LIGHTHOUSE_NUMBER', wholeNumber(1, MAX_LIGHTHOUSES).default(1)],
  },
  ({ lighthouses: { length }, lighthouseNumber }) => ({
    LIGHTHOUSE_NUMBER:
      lighthouseNumber > Math.max(1, length) &&
      `is "${lighthouseNumber}"; LIGHTHOUSES names ${length}, so it must be at most ${Math.max(1, length)}.`,
  }),
);

/** Limits for compiling a network. */
const COMPILE_LIMITS = settings({
  /** CPU time. */
  timeMs: ['COMPILE_LIMIT_MS', wholeNumber(1, 999_999).default(20_000)],
  /** Limit of the worker's heap, and separately of the configurations that it writes. */
  memoryMib: ['COMPILE_LIMIT_MIB', wholeNumber(10, 999_999).default(512)],
});

// It becomes part of a shell command that users paste, so it has no quotes and no spaces.
const netbirdUrl = matching(
  /^https?:\/\/[\w.:[\]/-]+$/,
  'the URL of a NetBird server, without user name and password, e.g. https://netbird.example.org',
).refine((url) => isUrlOf(HTTP, url), 'is not a URL.');

/** A NetBird management server. */
const NETBIRD = settings({
  /** Without a trailing slash. */
  url: ['NETBIRD_URL', netbirdUrl.transform(withoutSlash)],
  /** Token of a NetBird service user with full write access. */
  token: ['NETBIRD_TOKEN', matching(/^[\x21-\x7e]+$/, 'the token of a service user of NetBird')],
  /** Names of our objects start with it, so that several platforms can share a server. */
  installation: [
    'NETBIRD_PREFIX',
    matching(/^[a-z][a-z0-9]{0,19}$/, 'a lower-case letter and up to 19 lower-case letters or digits').default('arp'),
  ],
});

/** Nebula itself needs no settings. */
const NEBULA = settings({}).transform(() => undefined);

export const networkConfig = group({
  compileLimits: COMPILE_LIMITS,
  netbird: chosenBy('NETWORK_ENGINE', { nebula: NEBULA, netbird: NETBIRD }),
}).and(LIGHTHOUSES);

export type NetworkConfig = z.infer<typeof networkConfig>;
export type NetbirdConfig = NonNullable<NetworkConfig['netbird']>;
export type CompileLimits = NetworkConfig['compileLimits'];
