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

/** How machines of private networks find each other. */
const LIGHTHOUSES = settings(
  {
    /** Public hosts of machines that run `npm run lighthouse`; empty: the host of the platform's own address. */
    lighthouses: ['LIGHTHOUSES', listOf(host).refine((hosts) => hosts.length <= MAX, `may name ${MAX} hosts.`)],
    /** UDP port of the first network there; the others follow. */
    lighthousePort: ['LIGHTHOUSE_PORT', wholeNumber(1, 65_535).default(4242)],
    /** Which of them `npm run lighthouse` is here, from 1. */
    lighthouseNumber: ['LIGHTHOUSE_NUMBER', wholeNumber(1, MAX).default(1)],
  },
  ({ lighthouses: { length }, lighthouseNumber }) => ({
    LIGHTHOUSE_NUMBER:
      lighthouseNumber > Math.max(1, length) && `is "${lighthouseNumber}", and LIGHTHOUSES names ${length}.`,
  }),
);

/** What compiling a network may take at a time. */
const COMPILE_LIMITS = settings({
  /** Of a processor. */
  timeMs: ['COMPILE_LIMIT_MS', wholeNumber(1, 999_999).default(20_000)],
  /** Of the heap, and again of the texts that come of it. */
  memoryMib: ['COMPILE_LIMIT_MIB', wholeNumber(10, 999_999).default(512)],
});

// It becomes part of a command that people paste.
const netbirdUrl = matching(
  /^https?:\/\/[\w.:[\]/-]+$/,
  'the URL of a NetBird server without a user, e.g. https://netbird.example.org',
).refine((url) => isUrlOf(HTTP, url), 'is not a URL.');

/** A NetBird management server. */
const NETBIRD = settings({
  /** Without a trailing slash. */
  url: ['NETBIRD_URL', netbirdUrl.transform(withoutSlash)],
  /** Of a service user that may change everything there. */
  token: ['NETBIRD_TOKEN', matching(/^[\x21-\x7e]+$/, 'the token of a service user of NetBird')],
  /** What names of our objects begin with, so that several platforms may share a server. */
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
