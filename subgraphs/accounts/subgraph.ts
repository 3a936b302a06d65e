import type { Runtime } from '../../kernel/subgraph/context.js';
import type { JobDefinition } from '../../kernel/jobs/jobs.js';
import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { accountsConfig, findPaymentsFault, findPaymentsWarning, type AccountsConfig } from './config.js';
import { JOBS } from './jobs.js';
import { RESOLVERS } from './resolvers.js';
import { sandboxFetch } from './sandbox/http/sandbox.actions.js';
import { sandboxSecrets } from './sandbox/webhook/secret.actions.js';
import { readLedgerGauges } from './ledger/proof/ledger-gauges.js';
import { openServices, type AccountsServices, type SandboxConnection } from './services.js';
import { openSigner } from './identity/signing-key/signing-key.actions.js';
import { ensureSuperuser } from './identity/user/user.actions.js';
import { findLedgerFault } from './ledger/proof/ledger-proof.actions.js';
import { vmInstanceReference } from './ledger/statement/subject.reference.js';
import { VmInstance } from './ledger/statement/subject.js';
import { userReference } from './identity/user/user.reference.js';

const SANDBOX: SandboxConnection = { fetch: sandboxFetch, secrets: sandboxSecrets };

export const accounts: SubgraphManifest<AccountsConfig> = {
  name: 'accounts',
  config: accountsConfig,
  resolvers: RESOLVERS,
  types: [VmInstance],
  references: { User: userReference, VmInstance: vmInstanceReference },
  open: async (settings) => ({ ...(await openServices(settings)), sandbox: SANDBOX }),
  jobs: () => JOBS as readonly JobDefinition<Runtime>[],
  gauges: readLedgerGauges,
  findFault: findPaymentsFault,
  findWarning: findPaymentsWarning,
  hasSandbox: ({ payments }) => payments.processor === 'sandbox',
  prove: findLedgerFault,
  prepare: async ({ database, services, now }, { adminToken }) => {
    if (adminToken) await ensureSuperuser(database, adminToken, now());
    // Publishes a public key before the first token is signed.
    await openSigner(database, (services as AccountsServices).signingSecret, now());
  },
};
