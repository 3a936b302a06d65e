import type { SubgraphManifest } from '../../kernel/subgraph.js';
import { FolderResolver } from './folder/folder.resolver.js';
import { User } from './user/user.js';
import { userReference } from './user/user.reference.js';
import { UserResolver } from './user/user.resolver.js';

export const sync: SubgraphManifest = {
  name: 'sync',
  resolvers: [FolderResolver, UserResolver],
  types: [User],
  references: { User: userReference },
};
