import { openDatabase, type Database } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import type { ProxmoxConfig } from '../../../subgraphs/infrastructure/config.js';
import type { ProviderDependencies } from '../../../subgraphs/infrastructure/machines/provider/provider.js';
import { ProxmoxApi } from '../../../subgraphs/infrastructure/machines/provider/proxmox/api.js';
import { ProxmoxProvider } from '../../../subgraphs/infrastructure/machines/provider/proxmox/proxmox.js';
import { vmidOf } from '../../../subgraphs/infrastructure/machines/provider/proxmox/proxmox.rules.js';
import { SeedStore } from '../../../subgraphs/infrastructure/machines/provider/proxmox/seed-store.js';
import { newDatabase } from '../database/own-database.js';
import { providerDependencies, TestClock, type ProviderFixture } from './provider-fixture.js';
import { TestProxmox } from './proxmox.js';

/** A Proxmox server with a database of its own. */
export interface ProxmoxFixture extends ProviderFixture {
  readonly proxmox: TestProxmox;
  readonly database: Database;
}

/** A provider with connections of its own, as after a restart. */
export function proxmoxProvider(endpoint: ProviderDependencies, config: ProxmoxConfig): ProxmoxProvider {
  const api = new ProxmoxApi(config);
  return new ProxmoxProvider(endpoint, {
    api,
    seeds: new SeedStore(api, config.node, config.storage),
    node: config.node,
  });
}

export async function openProxmoxFixture(): Promise<ProxmoxFixture> {
  const clock = new TestClock();
  const proxmox = await TestProxmox.start(clock);
  proxmox.machines.addTemplate(9000, 'debian-13', '512M');
  const log = openLog('silent', 'tests');
  const database = await openDatabase({ url: await newDatabase(), schema: 'infrastructure', log });
  return {
    clock,
    proxmox,
    database,
    image: 'debian-13',
    provider: () => proxmoxProvider(providerDependencies(clock, database), proxmox.config),
    boots: (uuid) => Promise.resolve(proxmox.machines.all.get(vmidOf(uuid))?.boots ?? 0),
    async close() {
      await proxmox.stop();
      await database.close();
    },
  };
}
