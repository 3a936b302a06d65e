import type { Runtime } from '../../kernel/subgraph/context.js';
import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { CHUNK_OBJECTS } from './blob-store/blob/backup.actions.js';
import { blobStoreConfig, checkBlobStore, type BlobStoreConfig } from './blob-store/store/open-blob-store.js';
import { claimStore } from './blob-store/store/store-id.actions.js';
import { folderReference } from './folders/folder/folder.reference.js';
import { downloadFile } from './files/file/file.resolver.js';
import { CAPABILITIES } from './files/file/capabilities.js';
import { JOBS } from './jobs.js';
import { RESOLVERS } from './resolvers.js';
import { openServices, type SyncServices } from './services.js';
import { readUploadGauges } from './uploads/session/upload-metrics.js';
import { storageChargeReference } from './summary/charge/storage-charge.reference.js';
import { User } from './summary/user/user.js';
import { userReference } from './summary/user/user.reference.js';

export const sync: SubgraphManifest<Pick<BlobStoreConfig, 'blobStore'>> = {
  name: 'sync',
  config: blobStoreConfig,
  resolvers: RESOLVERS,
  types: [User],
  references: { Folder: folderReference, StorageCharge: storageChargeReference, User: userReference },
  unaudited: ['uploadChunk'], // its upload is logged when it is opened and finalized
  bytes: { download: downloadFile },
  capabilities: CAPABILITIES,
  findFault: (own, { dataDir }) => checkBlobStore({ ...own, dataDir }),
  open: openServices,
  checks: { 'file store': (services) => (services as SyncServices).health.check() },
  gauges: readUploadGauges,
  objects: CHUNK_OBJECTS,
  jobs: () => JOBS as readonly JobDefinition<Runtime>[],
  prepare: ({ database, services }) => claimStore(database, (services as SyncServices).blobs),
};
