import type { Runtime } from '../../kernel/subgraph/context.js';
import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { infrastructureConfig, type InfrastructureConfig } from './config.js';
import { JOBS } from './jobs.js';
import { certificateRecordReference } from './certificates/certificate.reference.js';
import { readMachineGauges } from './machines/instance/instance-gauges.js';
import { vmInstanceReference } from './machines/instance/instance.reference.js';
import { modelProjectReference } from './models/model/project.reference.js';
import { userReference } from './owner/user/user.reference.js';
import { bucketReference } from './storage/bucket/bucket.reference.js';
import { RESOLVERS } from './resolvers.js';
import { checkMachines, openServices } from './services.js';
import { STORED_SECRETS } from './secrets/stored-secrets.js';

export const infrastructure: SubgraphManifest<InfrastructureConfig> = {
  name: 'infrastructure',
  config: infrastructureConfig,
  resolvers: RESOLVERS,
  types: [],
  references: {
    Bucket: bucketReference,
    ModelProject: modelProjectReference,
    OverlayCertificateRecord: certificateRecordReference,
    User: userReference,
    VmInstance: vmInstanceReference,
  },
  unaudited: ['lookAtVm'], // only schedules a poll
  gauges: readMachineGauges,
  findFault: checkMachines,
  secrets: STORED_SECRETS,
  open: openServices,
  jobs: () => JOBS as readonly JobDefinition<Runtime>[],
};
