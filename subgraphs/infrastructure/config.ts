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

/** Simulated machines. */
const SIMULATED = settings({}).transform(() => ({ provider: 'simulated' as const }));

/** Machines on this host. */
const QEMU = settings({
  dataDir,
  images: ['VM_IMAGES', text.optional()],
  network: ['VM_NETWORK', oneOf('restricted', 'open').default('restricted')],
}).transform((own) => ({
  provider: 'qemu' as const,
  /** The directory with a subdirectory for each machine. */
  machines: join(own.dataDir, 'vms'),
  /** The directory of base images, `<slug>.qcow2`. */
  images: resolve(own.images ?? join(own.dataDir, 'images')),
  /** Whether guests may open connections, which can also reach services on this host's loopback. */
  mayGoOut: own.network === 'open',
}));

/** Machines on a Proxmox VE node. */
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
  /** The node on which machines are created. */
  node: [
    'PROXMOX_NODE',
    matching(/^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/, 'the name of a node: letters, digits and dashes'),
  ],
  /** Storage for cloud-init seeds; undefined: machines get no application and cannot join a network. */
  storage: [
    'PROXMOX_STORAGE',
    matching(/^[a-zA-Z][a-zA-Z0-9._-]*$/, 'the name of a storage, such as local').optional(),
  ],
  /** SHA-256 of its certificate; undefined: the certificate is signed by a trusted authority. */
  fingerprint: [
    'PROXMOX_FINGERPRINT',
    matching(/^[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31}$/, 'a SHA-256 as 32 pairs of hex digits, AB:CD:…')
      .toUpperCase()
      .optional(),
  ],
}).transform((own) => ({ provider: 'proxmox' as const, ...own }));

const registryUrl = urlOf(...HTTP)
  .transform((value) => new URL(value))
  // The download commands of clients cannot contain a path in the address of the registry.
  .refine(({ pathname }) => pathname === '/', 'names a registry: it ends with its host or its port.')
  .transform(({ origin, username, password }) => ({
    /** Without user, password and trailing slash. */
    url: origin,
    /** `user:password`, if the registry requires it. */
    credentials: username === '' ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
  }));

/** The OCI registry whose models are indexed. */
const REGISTRY = settings({
  address: ['REGISTRY_URL', registryUrl.optional()],
  /**
   * Each of them is accepted as the signature of a notification, so that one can be rotated; empty: notifications are
   * disabled.
   */
  notificationTokens: ['REGISTRY_TOKEN', listOf(headerSecret)],
}).transform(({ address, notificationTokens }) => address && { ...address, notificationTokens });

/** The S3 store of `BLOB_URL`, which has sub-tokens; undefined: files are in another kind of store. */
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
