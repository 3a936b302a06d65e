import type { Runtime } from '../../kernel/subgraph/context.js';
import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { openConfiguration } from './joining/configuration/configuration.resolver.js';
import { networkConfig, type NetworkConfig } from './config.js';
import { jobsOf, prepareNetwork } from './jobs.js';
import { openJoinScript } from './joining/join/join.resolver.js';
import { RESOLVERS } from './resolvers.js';
import { closeServices, openServices, type NetworkRuntime, type NetworkServices } from './services.js';
import { User } from './graph/user/user.js';
import { userReference } from './graph/user/user.reference.js';
import { CERTIFICATE_REFERENCES } from './certificates/peer-certificate/peer-certificate.reference.js';
import { groupReference } from './graph/group/group.reference.js';
import { peerReference } from './graph/peer/peer.reference.js';
import { vmInstanceReference } from './joining/vm-instance/vm-instance.reference.js';
import { STORED_SECRETS } from './secrets/stored-secrets.js';

export const network: SubgraphManifest<NetworkConfig> = {
  name: 'network',
  config: networkConfig,
  resolvers: RESOLVERS,
  types: [User],
  references: {
    ...CERTIFICATE_REFERENCES,
    Group: groupReference,
    Peer: peerReference,
    User: userReference,
    VmInstance: vmInstanceReference,
  },
  unaudited: ['reportConfiguration'], // machines send it every few seconds
  bytes: { configuration: openConfiguration, joinScript: openJoinScript },
  secrets: STORED_SECRETS,
  open: openServices,
  close: (services) => closeServices(services as NetworkServices),
  prepare: (runtime, { own }) => prepareNetwork(runtime as NetworkRuntime, own),
  jobs: (settings) => jobsOf(settings) as JobDefinition<Runtime>[],
};
