import { checkPayments } from '../../kernel/config/accounts-config.js';
import type { Config } from '../../kernel/config/config.js';
import type { Context, Runtime } from '../../kernel/subgraph/context.js';
import { openSecretBox, type SecretBox } from '../../kernel/security/secret-box.js';
import type { SubgraphSettings } from '../../kernel/subgraph/subgraph.js';
import { ProcessorClient } from './payments/processor/processor-client.js';
import { openMailer, type Mailer } from './notifications/email/mailer.js';
import { openChains, type DepositChains } from './payments/chain/open-chains.js';
import { Providers } from './sign-in/social/providers.js';
import { openLookups, type Lookups } from './identity/token/lookups.js';

/** What accounts makes of its settings at start, for resolvers and jobs alike. */
export interface AccountsServices {
  readonly config: Config;
  readonly processor: ProcessorClient;
  /** Keeps secrets that must be read again. */
  readonly sealer: SecretBox;
  /** Undefined where no mail server was set. */
  readonly mailer: Mailer | undefined;
  /** Where crypto arrives. */
  readonly deposits: DepositChains;
  /** Seals the private keys that sign access tokens. */
  readonly signingSecret: string;
  /** The issuers of social sign-in. */
  readonly providers: Providers;
  /** Of tokens and sessions, by which everyone is let in. */
  readonly lookups: Lookups;
  readonly sandbox: SandboxConnection;
}

/** The sandbox payment processor in this process. */
export interface SandboxConnection {
  /** A `fetch` that reaches the sandbox, whatever the host. */
  fetch(runtime: AccountsRuntime): typeof fetch;
  secrets(runtime: AccountsRuntime): Promise<SandboxSecrets>;
}

/** The keys that the platform and its sandbox share. */
export interface SandboxSecrets {
  /** `sk_test_…`, for the Authorization header. */
  readonly secretKey: string;
  /** `whsec_…`, the newest first; any of them may have signed a webhook. */
  readonly webhookSecrets: readonly string[];
}

export type AccountsRuntime = Runtime<AccountsServices>;
export type AccountsContext = Context<AccountsServices>;

/** Opens all services but the sandbox, which the composition root adds. @throws ConfigError for an invalid setting */
export async function openServices({
  config,
  publicUrl,
}: SubgraphSettings): Promise<Omit<AccountsServices, 'sandbox'>> {
  checkPayments(config.payments, publicUrl);
  const [sealer, deposits] = await Promise.all([openSecretBox(config), openChains(config.deposits, config.payments)]);
  return {
    config,
    sealer,
    deposits,
    signingSecret: sealer.derive('signing keys'),
    providers: new Providers(config.oidc),
    lookups: openLookups(),
    processor: new ProcessorClient(config.payments),
    mailer: config.mail && (await openMailer(config.mail, publicUrl)),
  };
}
