import type { SubgraphManifest } from '../../kernel/subgraph.js';
import { VmApplicationResolver } from './application/application.resolver.js';
import { VmFlavorResolver } from './flavor/flavor.resolver.js';
import { VmImageResolver } from './image/image.resolver.js';

export const infrastructure: SubgraphManifest = {
  name: 'infrastructure',
  resolvers: [VmFlavorResolver, VmImageResolver, VmApplicationResolver],
  types: [],
  references: {},
};
