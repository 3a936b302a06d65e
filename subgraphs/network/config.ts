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

/** Maximum number of lighthouses. */
const MAX = 3;

const host = text.regex(/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/i, {
  error: ({ input }) => `names "${input}"; write hosts without a port, e.g. lighthouse.example.org.`,
});

/** Lighthouses, by which machines of private networks find each other. */
const LIGHTHOUSES = settings(
  {
    /** Public hosts that run `npm run lighthouse`; empty: the host of the platform's own URL. */
    lighthouses: ['LIGHTHOUSES', listOf(host).refine((hosts) => hosts.length <= MAX, `may name ${MAX} hosts.`)],
    /** UDP port of the first network on a lighthouse; the other networks use the next ports. */
    lighthousePort: ['LIGHTHOUSE_PORT', wholeNumber(1, 65_535).default(4242)],
    /** Number of the lighthouse that `npm run lighthouse` runs on this host, from 1. */
    lighthouseNumber: ['LIGHTHOUSE_NUMBER', wholeNumber(1, MAX).default(1)],
  },
  ({ lighthouses: { length }, lighthouseNumber }) => ({
    LIGHTHOUSE_NUMBER:
      lighthouseNumber > Math.max(1, length) && `is "${lighthouseNumber}", and LIGHTHOUSES names ${length}.`,
  }),
);

/** Limits for compiling a network. */
const COMPILE_LIMITS = settings({
  /** CPU time. */
  timeMs: ['COMPILE_LIMIT_MS', wholeNumber(1, 999_999).default(20_000)],
  /** Of the heap, and again of the resulting texts. */
  memoryMib: ['COMPILE_LIMIT_MIB', wholeNumber(10, 999_999).default(512)],
});

// It becomes a part of a shell command that users paste.
const netbirdUrl = matching(
  /^https?:\/\/[\w.:[\]/-]+$/,
  'the URL of a NetBird server without a user, e.g. https://netbird.example.org',
).refine((url) => isUrlOf(HTTP, url), 'is not a URL.');

/** A NetBird management server. */
const NETBIRD = settings({
  /** Without a trailing slash. */
  url: ['NETBIRD_URL', netbirdUrl.transform(withoutSlash)],
  /** Of a service user with write access to everything. */
  token: ['NETBIRD_TOKEN', matching(/^[\x21-\x7e]+$/, 'the token of a service user of NetBird')],
  /** Prefix of the names of our objects, so that several platforms can share a server. */
  installation: [
    'NETBIRD_PREFIX',
    matching(/^[a-z][a-z0-9]{0,19}$/, 'a lower-case letter and up to 19 letters or digits').default('arp'),
  ],
});

const NEBULA = settings({}).transform(() => undefined);

/** The settings of network. */
export const networkConfig = group({
  compileLimits: COMPILE_LIMITS,
  netbird: chosenBy('NETWORK_ENGINE', { nebula: NEBULA, netbird: NETBIRD }),
}).and(LIGHTHOUSES);

export type NetworkConfig = z.infer<typeof networkConfig>;
export type NetbirdConfig = NonNullable<NetworkConfig['netbird']>;
export type CompileLimits = NetworkConfig['compileLimits'];
