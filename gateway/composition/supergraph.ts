// type-graphql wants it there before the first decorator runs.
import 'reflect-metadata';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { accounts } from '../../subgraphs/accounts/subgraph.js';
import { infrastructure } from '../../subgraphs/infrastructure/subgraph.js';
import { network } from '../../subgraphs/network/subgraph.js';
import { sync } from '../../subgraphs/sync/subgraph.js';

/** The parts the platform is composed of. */
export const SUBGRAPHS: readonly SubgraphManifest[] = [accounts, infrastructure, network, sync];

/** The part of this name. */
export function manifestOf(name: string): SubgraphManifest {
  const manifest = SUBGRAPHS.find((subgraph) => subgraph.name === name);
  if (!manifest) throw new Error(`there is no subgraph ${name}`);
  return manifest;
}
