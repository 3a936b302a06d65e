import type { Runtime } from '../../kernel/subgraph/context.js';
import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { infrastructureConfig, type InfrastructureConfig } from './config.js';
import { JOBS } from './jobs.js';
import { vmInstanceReference } from './machines/instance/instance.reference.js';
import { RESOLVERS } from './resolvers.js';
import { checkMachines, openServices } from './services.js';

export const infrastructure: SubgraphManifest<InfrastructureConfig> = {
  name: 'infrastructure',
  config: infrastructureConfig,
  resolvers: RESOLVERS,
  types: [],
  references: { VmInstance: vmInstanceReference },
  findFault: checkMachines,
  open: openServices,
  jobs: () => JOBS as readonly JobDefinition<Runtime>[],
};
