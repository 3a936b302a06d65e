import type { Context, Runtime } from '../../kernel/subgraph/context.js';
import { openSecretBox, type SecretBox } from '../../kernel/security/secret-box.js';
import type { SubgraphSettings } from '../../kernel/subgraph/subgraph.js';
import type { AccountsConfig } from './config.js';
import { ProcessorClient } from './payments/processor/processor-client.js';
import { openMailer, type Mailer } from './notifications/email/mailer.js';
import { PlanReads } from './payments/plan/plan-reads.js';
import { openChains, type DepositChains } from './payments/chain/open-chains.js';
import { Providers } from './sign-in/social/providers.js';
import { openLookups, type Lookups } from './identity/api-token/lookups.js';
import { SharedSubscription } from '../../kernel/events/sources/shared-subscription.js';
import type { InboxPosition } from './notifications/notification/inbox-position.js';
import type { CreditBalance } from './ledger/credit/credit-balance.js';

/** Services that are opened at start, for resolvers and jobs. */
export interface AccountsServices {
  readonly config: AccountsConfig;
  /** Wallet verifications per minute and client address. */
  readonly verificationsPerMinute: number;
  readonly processor: ProcessorClient;
  /** Shared reads of the processor's plans. */
  readonly planReads: PlanReads;
  /** Encrypts stored secrets. */
  readonly secretBox: SecretBox;
  /** Undefined if no mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** The chains that receive deposits. */
  readonly deposits: DepositChains;
  /** Encrypts the private keys that sign tokens. */
  readonly signingSecret: string;
  /** The OpenID Connect providers of social sign-in. */
  readonly providers: Providers;
  /** Batched reads of tokens and sessions. */
  readonly lookups: Lookups;
  /** Shared subscriptions to balances. */
  readonly balances: SharedSubscription<CreditBalance>;
  /** Shared subscriptions to the notifications of a user. */
  readonly inboxes: SharedSubscription<InboxPosition>;
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
  own,
  publicUrl,
}: SubgraphSettings<AccountsConfig>): Promise<Omit<AccountsServices, 'sandbox'>> {
  const [secretBox, deposits] = await Promise.all([openSecretBox(config), openChains(own.deposits, own.payments)]);
  return {
    config: own,
    verificationsPerMinute: config.verificationsPerMinute,
    secretBox,
    deposits,
    signingSecret: secretBox.derive('signing keys'),
    providers: new Providers(own.oidc),
    lookups: openLookups(),
    balances: new SharedSubscription({ everyMs: 0, isReadForJoiners: true }),
    inboxes: new SharedSubscription({ everyMs: 0, isReadForJoiners: true }),
    processor: new ProcessorClient(own.payments),
    planReads: new PlanReads(),
    mailer: own.mail && (await openMailer(own.mail, publicUrl)),
  };
}
