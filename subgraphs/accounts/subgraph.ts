import type { Runtime } from '../../kernel/subgraph/context.js';
import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { JOBS } from './jobs.js';
import { RESOLVERS } from './resolvers.js';
import { openServices, type AccountsServices } from './services.js';
import { openSigner } from './identity/signing-key/signing-key.actions.js';
import { ensureSuperuser } from './identity/user/user.actions.js';
import { userReference } from './identity/user/user.reference.js';

export const accounts: SubgraphManifest = {
  name: 'accounts',
  resolvers: RESOLVERS,
  types: [],
  references: { User: userReference },
  open: openServices,
  jobs: JOBS as readonly JobDefinition<Runtime>[],
  prepare: async ({ database, services, now }, { adminToken }) => {
    if (adminToken) await ensureSuperuser(database, adminToken, now());
    // Whoever reads the public keys finds one before the first token is signed.
    await openSigner(database, (services as AccountsServices).signingSecret, now());
  },
};
