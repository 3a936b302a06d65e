import type { SubgraphManifest } from '../../kernel/subgraph.js';
import { GroupResolver } from './group/group.resolver.js';
import { PolicyResolver } from './policy/policy.resolver.js';
import { TenantResolver } from './tenant/tenant.resolver.js';
import { TopologyResolver } from './topology/topology.resolver.js';
import { User } from './user/user.js';
import { userReference } from './user/user.reference.js';
import { UserResolver } from './user/user.resolver.js';

export const network: SubgraphManifest = {
  name: 'network',
  resolvers: [TenantResolver, GroupResolver, PolicyResolver, TopologyResolver, UserResolver],
  types: [User],
  references: { User: userReference },
};
