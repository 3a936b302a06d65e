import type { Runtime } from '../../kernel/context.js';
import type { JobDefinition } from '../../kernel/jobs.js';
import type { SubgraphManifest } from '../../kernel/subgraph.js';
import { VmApplicationResolver } from './application/application.resolver.js';
import { VmBillingResolver } from './billing/billing.resolver.js';
import { VmFlavorResolver } from './flavor/flavor.resolver.js';
import { VmImageResolver } from './image/image.resolver.js';
import { VmInstanceResolver } from './instance/instance.resolver.js';
import { JOBS } from './jobs.js';
import { ModelResolver } from './model/model.resolver.js';
import { ModelProjectResolver } from './model/project.resolver.js';
import { ModelCrawlResolver } from './registry/crawl.resolver.js';
import { RegistryEventResolver } from './registry/event.resolver.js';
import { openServices } from './services.js';

export const infrastructure: SubgraphManifest = {
  name: 'infrastructure',
  resolvers: [
    VmFlavorResolver,
    VmImageResolver,
    VmApplicationResolver,
    VmInstanceResolver,
    VmBillingResolver,
    ModelResolver,
    ModelProjectResolver,
    RegistryEventResolver,
    ModelCrawlResolver,
  ],
  types: [],
  references: {},
  open: openServices,
  jobs: JOBS as readonly JobDefinition<Runtime>[],
};
