import type { Runtime } from '../../kernel/subgraph/context.js';
import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { JOBS } from './jobs.js';
import { RESOLVERS } from './resolvers.js';
import { checkMachines, openServices } from './services.js';

export const infrastructure: SubgraphManifest = {
  name: 'infrastructure',
  resolvers: RESOLVERS,
  types: [],
  references: {},
  checkStart: checkMachines,
  open: openServices,
  jobs: JOBS as readonly JobDefinition<Runtime>[],
};
