import type { BucketConfig } from '../../kernel/object-store/bucket-settings.js';
import type { Context, Runtime } from '../../kernel/subgraph/context.js';
import { openSecretBox, type SecretBox } from '../../kernel/security/secret-box.js';
import { SharedSubscription } from '../../kernel/events/sources/shared-subscription.js';
import type { InfrastructureConfig } from './config.js';
import type { SubgraphSettings } from '../../kernel/subgraph/subgraph.js';
import type { BucketStore } from './storage/bucket/bucket-store.js';
import type { VmInstance } from './machines/instance/instance.js';
import type { ProviderOf } from './machines/provider/provider.js';
import { ProxmoxApi } from './machines/provider/proxmox/api.js';
import { SeedStore } from './machines/provider/proxmox/seed-store.js';
import { ProxmoxProvider } from './machines/provider/proxmox/proxmox.js';
import { checkPrograms } from './machines/provider/qemu/host-process.js';
import { QemuHost, QemuProvider } from './machines/provider/qemu/qemu.js';
import { SimulatedProvider } from './machines/provider/simulated.js';
import { Registry } from './models/registry/registry.js';

/** Services opened once at start, used by resolvers and jobs. */
export interface InfrastructureServices {
  /** Where machines run. */
  readonly machines: ProviderOf;
  /** Undefined: no registry is configured and no models are indexed. */
  readonly registry: Registry | undefined;
  /** No host runs the machines. */
  readonly isSimulated: boolean;
  /** Undefined: no object store is configured and no bucket policies are written. */
  readonly store: BucketStore | undefined;
  /** Encrypts the private keys of overlay certificates. */
  readonly secretBox: SecretBox;
  /** Shared subscriptions to the machines of a user. */
  readonly instances: SharedSubscription<VmInstance[]>;
}

export type InfrastructureRuntime = Runtime<InfrastructureServices>;
export type InfrastructureContext = Context<InfrastructureServices>;

/** Opens all services. Fails with a message for the operator when a setting is unusable. */
export async function openServices({
  config,
  own,
}: SubgraphSettings<InfrastructureConfig>): Promise<InfrastructureServices> {
  return {
    machines: await openMachines(own.machines),
    isSimulated: own.machines.provider === 'simulated',
    registry: own.registry && new Registry(own.registry),
    store: own.objectStore && (await openBuckets(own.objectStore)),
    secretBox: await openSecretBox(config),
    instances: new SharedSubscription({ everyMs: 0, isReadForJoiners: true }),
  };
}

/** Checks that the programs of the VM provider are installed. @throws ConfigError */
export async function checkMachines({ machines }: Pick<InfrastructureConfig, 'machines'>): Promise<undefined> {
  if (machines.provider === 'qemu') await checkPrograms();
}

/** Loaded only if needed: other configurations start faster. */
async function openBuckets(config: BucketConfig): Promise<BucketStore> {
  const { BucketStore: Store } = await import('./storage/bucket/bucket-store.js');
  return new Store(config);
}

async function openMachines(config: InfrastructureConfig['machines']): Promise<ProviderOf> {
  if (config.provider === 'qemu') {
    const host = await QemuHost.open(config);
    return (dependencies) => new QemuProvider(dependencies, host);
  }
  if (config.provider === 'proxmox') {
    const api = new ProxmoxApi(config);
    const seeds = new SeedStore(api, config.node, config.storage);
    return (dependencies) => new ProxmoxProvider(dependencies, { api, seeds, node: config.node });
  }
  return (dependencies) => new SimulatedProvider(dependencies);
}
