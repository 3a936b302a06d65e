import { checkPayments } from '../../kernel/config/accounts-config.js';
import type { Config } from '../../kernel/config/config.js';
import type { Context, Runtime } from '../../kernel/subgraph/context.js';
import { openSecretBox, type SecretBox } from '../../kernel/security/secret-box.js';
import type { SubgraphSettings } from '../../kernel/subgraph/subgraph.js';
import { ProcessorClient } from './payments/payment/processor-door.js';
import { openMailer, type Mailer } from './notifications/email/mailer.js';
import { openChains, type DepositChains } from './payments/deposit/chain/open-chains.js';
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
}

export type AccountsRuntime = Runtime<AccountsServices>;
export type AccountsContext = Context<AccountsServices>;

/** Opens them all; fails with a line for the operator where a setting cannot be used. */
export async function openServices({ config, publicUrl }: SubgraphSettings): Promise<AccountsServices> {
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
