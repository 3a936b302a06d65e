import type { SubgraphManifest } from '../../kernel/subgraph/subgraph.js';
import { accountsConfig, findPaymentsFault, findPaymentsWarning, type AccountsConfig } from './config.js';
import { jobsOf } from './jobs.js';
import { REFERENCES, RESOLVERS, UNAUDITED } from './resolvers.js';
import { sandboxFetch } from './sandbox/http/sandbox.actions.js';
import { sandboxSecrets } from './sandbox/webhook/secret.actions.js';
import { readLedgerGauges } from './ledger/proof/ledger-gauges.js';
import { readPaymentGauges } from './payments/processor-events/flagged-payment.actions.js';
import { openServices, type AccountsServices, type SandboxConnection } from './services.js';
import { openSigner } from './identity/signing-key/signing-key.actions.js';
import { ensureSuperuser } from './identity/api-token/superuser.actions.js';
import { findLedgerFault } from './ledger/proof/ledger-proof.actions.js';
import { StorageCharge, VmInstance } from './ledger/statement/subject.js';
import { STORED_SECRETS } from './secrets/stored-secrets.js';

const SANDBOX: SandboxConnection = { fetch: sandboxFetch, secrets: sandboxSecrets };

export const accounts: SubgraphManifest<AccountsConfig> = {
  name: 'accounts',
  config: accountsConfig,
  resolvers: RESOLVERS,
  types: [StorageCharge, VmInstance],
  references: REFERENCES,
  unaudited: UNAUDITED,
  open: async (settings) => ({ ...(await openServices(settings)), sandbox: SANDBOX }),
  jobs: jobsOf,
  gauges: async (database, now) =>
    (await Promise.all([readLedgerGauges(database, now), readPaymentGauges(database)])).flat(),
  findFault: findPaymentsFault,
  findWarning: findPaymentsWarning,
  hasSandbox: ({ payments }) => payments.processor === 'sandbox',
  prove: findLedgerFault,
  secrets: STORED_SECRETS,
  prepare: async ({ database, services, now }, { adminToken }) => {
    if (adminToken) await ensureSuperuser(database, adminToken, now());
    await openSigner(database, (services as AccountsServices).signingSecret, now()); // before the first token is signed
  },
};
