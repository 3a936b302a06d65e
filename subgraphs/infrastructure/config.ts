import { join, resolve } from 'node:path';
import { z } from 'zod';
import { dataDir } from '../../kernel/config/config.js';
import {
  chosenBy,
  type Environment,
  group,
  headerSecret,
  HTTP,
  isUrlOf,
  listOf,
  matching,
  oneOf,
  settings,
  text,
  urlOf,
  withoutSlash,
} from '../../kernel/config/environment.js';
import { bucketSettings } from '../../kernel/object-store/bucket-settings.js';

/** Machines that run nowhere. */
const SIMULATED = settings({}).transform(() => ({ provider: 'simulated' as const }));

/** Machines that this host runs. */
const QEMU = settings({
  dataDir,
  images: ['VM_IMAGES', text.optional()],
  network: ['VM_NETWORK', oneOf('restricted', 'open').default('restricted')],
}).transform((own) => ({
  provider: 'qemu' as const,
  /** The directory of machines, each in one of its own. */
  machines: join(own.dataDir, 'vms'),
  /** The directory of base images, `<slug>.qcow2` each. */
  images: resolve(own.images ?? join(own.dataDir, 'images')),
  /** Whether guests may open connections, and then also to services on this host's loopback. */
  mayGoOut: own.network === 'open',
}));

/** Machines on a node of Proxmox VE. */
const PROXMOX = settings({
  /** Without a trailing slash. */
  url: ['PROXMOX_URL', urlOf('https:').transform(withoutSlash)],
  token: [
    'PROXMOX_TOKEN',
    matching(
      /^[\x21-\x7e]+@[\x21-\x7e]+![\x21-\x7e]+=[0-9a-f-]+$/,
      'an API token as Proxmox writes it: USER@REALM!TOKENID=UUID',
    ),
  ],
  /** The node on which machines are made. */
  node: [
    'PROXMOX_NODE',
    matching(/^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/, 'the name of a node: letters, digits and dashes'),
  ],
  /** Where disks are kept that machines first start with; undefined: they get no application and join no network. */
  storage: [
    'PROXMOX_STORAGE',
    matching(/^[a-zA-Z][a-zA-Z0-9._-]*$/, 'the name of a storage, such as local').optional(),
  ],
  /** SHA-256 of its certificate; undefined: a trusted authority signed it. */
  fingerprint: [
    'PROXMOX_FINGERPRINT',
    matching(/^[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31}$/, 'a SHA-256 as 32 pairs of hex digits, AB:CD:…')
      .toUpperCase()
      .optional(),
  ],
}).transform((own) => ({ provider: 'proxmox' as const, ...own }));

const registryUrl = urlOf(...HTTP)
  .transform((value) => new URL(value))
  // A client that sends the address of a version by pull_command has no place for a path.
  .refine(({ pathname }) => pathname === '/', 'names a registry: it ends with its host or its port.')
  .transform(({ origin, username, password }) => ({
    /** Without user, password and trailing slash. */
    url: origin,
    /** `user:password`, where the registry asks for it. */
    credentials: username === '' ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
  }));

/** The OCI registry that models are indexed from. */
const REGISTRY = settings({
  address: ['REGISTRY_URL', registryUrl.optional()],
  /** Any of them signs a notification, so that one can be rotated; empty: there are none. */
  notificationTokens: ['REGISTRY_TOKEN', listOf(headerSecret)],
}).transform(({ address, notificationTokens }) => address && { ...address, notificationTokens });

/** The bucket whose sub-tokens are made here; undefined: files are in another kind of store, which has none. */
const OBJECT_STORE = z.preprocess(
  (env: Environment) => (isUrlOf(['s3:'], env.BLOB_URL ?? '') ? env : { ...env, BLOB_URL: undefined }),
  bucketSettings,
);

/** The settings of infrastructure. */
export const infrastructureConfig = group({
  objectStore: OBJECT_STORE,
  machines: chosenBy('VM_PROVIDER', { simulated: SIMULATED, qemu: QEMU, proxmox: PROXMOX }),
  registry: REGISTRY,
});

export type InfrastructureConfig = z.infer<typeof infrastructureConfig>;
export type QemuConfig = z.infer<typeof QEMU>;
export type ProxmoxConfig = z.infer<typeof PROXMOX>;
export type RegistryConfig = NonNullable<InfrastructureConfig['registry']>;
