import type { Runtime } from '../../kernel/subgraph/context.js';
import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import { settings } from '../../kernel/config/environment.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { CHUNK_OBJECTS } from './blob-store/blob/backup.actions.js';
import { checkBlobStore } from './blob-store/store/open-blob-store.js';
import { claimStore } from './blob-store/store/store-id.actions.js';
import { folderReference } from './folders/folder/folder.reference.js';
import { downloadFile } from './files/file/file.resolver.js';
import { JOBS } from './jobs.js';
import { RESOLVERS } from './resolvers.js';
import { openServices, type SyncServices } from './services.js';
import { User } from './summary/user/user.js';
import { userReference } from './summary/user/user.reference.js';

export const sync: SubgraphManifest = {
  name: 'sync',
  config: settings({}),
  resolvers: RESOLVERS,
  types: [User],
  references: { Folder: folderReference, User: userReference },
  bytes: { download: downloadFile },
  findFault: (_, shared) => checkBlobStore(shared),
  open: openServices,
  checks: { 'file store': (services) => (services as SyncServices).health.check() },
  objects: CHUNK_OBJECTS,
  jobs: () => JOBS as readonly JobDefinition<Runtime>[],
  prepare: ({ database, services }) => claimStore(database, (services as SyncServices).blobs),
};
