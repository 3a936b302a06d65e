// type-graphql needs it before the first decorator runs.
import 'reflect-metadata';
import { readConfig, type PlatformConfig } from '../../kernel/config/config.js';
import { ConfigError } from '../../kernel/config/environment.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { accounts } from '../../subgraphs/accounts/subgraph.js';
import { infrastructure } from '../../subgraphs/infrastructure/subgraph.js';
import { network } from '../../subgraphs/network/subgraph.js';
import { sync } from '../../subgraphs/sync/subgraph.js';

/** The subgraphs of the platform. */
export const SUBGRAPHS: readonly SubgraphManifest[] = [accounts, infrastructure, network, sync];

/** Reads the settings of these subgraphs and the shared ones. @throws ConfigError with one line for each variable at fault */
export function readSettings(subgraphs: readonly SubgraphManifest[]): PlatformConfig {
  return readConfig(Object.fromEntries(subgraphs.map(({ name, config }) => [name, config])));
}

/** Returns the manifest of a subgraph. @throws ConfigError when there is none of this name */
export function manifestOf(name: string): SubgraphManifest {
  const manifest = SUBGRAPHS.find((subgraph) => subgraph.name === name);
  if (!manifest)
    throw new ConfigError(
      `There is no subgraph "${name}": choose of ${SUBGRAPHS.map((each) => each.name).join(', ')}.`,
    );
  return manifest;
}
