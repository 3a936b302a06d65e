import { readConfig, type ConfigWith } from '../../kernel/config/config.js';
import type { Environment } from '../../kernel/config/environment.js';
import { accountsConfig } from '../../subgraphs/accounts/config.js';
import { infrastructureConfig } from '../../subgraphs/infrastructure/config.js';
import { networkConfig } from '../../subgraphs/network/config.js';
import { blobStoreConfig } from '../../subgraphs/sync/blob-store/store/open-blob-store.js';

const SUBGRAPHS = {
  accounts: accountsConfig,
  infrastructure: infrastructureConfig,
  network: networkConfig,
  sync: blobStoreConfig,
};

/** The settings of the whole platform in this environment. */
export function platformConfig(env: Environment): ConfigWith<typeof SUBGRAPHS> {
  return readConfig(SUBGRAPHS, env);
}
