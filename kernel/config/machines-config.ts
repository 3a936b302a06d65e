import { join, resolve } from 'node:path';
import { ConfigError, read, readMatching, readOneOf, readUrl, type Environment } from './environment.js';

const VM_PROVIDERS = ['simulated', 'qemu', 'proxmox'] as const;

/** Machines that this host runs. */
export interface QemuConfig {
  readonly provider: 'qemu';
  /** The directory of machines, each in one of its own. */
  readonly machines: string;
  /** The directory of base images, `<slug>.qcow2` each. */
  readonly images: string;
  /** Whether guests may open connections, and then also to what listens on this host's loopback. */
  readonly mayGoOut: boolean;
}

/** Machines on a node of Proxmox VE. */
export interface ProxmoxConfig {
  readonly provider: 'proxmox';
  /** Without a trailing slash. */
  readonly url: string;
  /** `USER@REALM!TOKENID=UUID` */
  readonly token: string;
  /** The node on which machines are made. */
  readonly node: string;
  /** Where discs are kept that machines first start with; undefined: they get no application and join no network. */
  readonly storage: string | undefined;
  /** SHA-256 of its certificate; undefined: somebody who is trusted signed it. */
  readonly fingerprint: string | undefined;
}

/** Where virtual machines run. Source: operating contract, Environment */
export type MachinesConfig = { readonly provider: 'simulated' } | QemuConfig | ProxmoxConfig;

/** Reads `VM_PROVIDER` and what the named one needs. @throws ConfigError */
export function readMachines(env: Environment, dataDir: string): MachinesConfig {
  const provider = VM_PROVIDERS.find((name) => name === readOneOf(env, 'VM_PROVIDER', VM_PROVIDERS)) ?? 'simulated';
  if (provider === 'simulated') return { provider };
  if (provider === 'proxmox') return readProxmox(env);
  return {
    provider,
    machines: join(dataDir, 'vms'),
    images: resolve(read(env, 'VM_IMAGES') ?? join(dataDir, 'images')),
    mayGoOut: readOneOf(env, 'VM_NETWORK', ['restricted', 'open']) === 'open',
  };
}

function readProxmox(env: Environment): ProxmoxConfig {
  const url = readUrl(env, 'PROXMOX_URL', ['https:'])?.replace(/\/+$/, '');
  // By patterns that are not shown: the token is a secret.
  const token = read(env, 'PROXMOX_TOKEN');
  const node = readMatching(env, 'PROXMOX_NODE', /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/);
  const fingerprint = readMatching(
    env,
    'PROXMOX_FINGERPRINT',
    /^[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31}$/,
  )?.toUpperCase();
  if (url === undefined || token === undefined || node === undefined)
    throw new ConfigError('VM_PROVIDER is "proxmox": set PROXMOX_URL, PROXMOX_TOKEN and PROXMOX_NODE.');
  if (!/^[\x21-\x7e]+@[\x21-\x7e]+![\x21-\x7e]+=[0-9a-f-]+$/.test(token))
    throw new ConfigError('PROXMOX_TOKEN must be an API token as Proxmox writes it: USER@REALM!TOKENID=UUID.');
  const storage = readMatching(env, 'PROXMOX_STORAGE', /^[a-zA-Z][a-zA-Z0-9._-]*$/);
  return { provider: 'proxmox', url, token, node, storage, fingerprint };
}
