import type { NonEmptyArray } from 'type-graphql';
import { SubstrateAddressResolver } from './address/substrate-address.resolver.js';
import { CreditBalanceResolver } from './credit/credit-balance.resolver.js';
import { DepositResolver } from './deposit/deposit.resolver.js';
import { HoldResolver } from './hold/hold.resolver.js';
import { LedgerResolver } from './ledger/ledger.resolver.js';
import { EmailResolver } from './notification/email/email.resolver.js';
import { WebhookEndpointResolver } from './notification/hook/webhook.resolver.js';
import { NotificationResolver } from './notification/notification.resolver.js';
import { PaymentResolver } from './payment/payment.resolver.js';
import { PreferenceResolver } from './preference/preference.resolver.js';
import { TokenPriceResolver } from './price/token-price.resolver.js';
import { LedgerProofResolver } from './proof/ledger-proof.resolver.js';
import { ReferralResolver } from './referral/referral.resolver.js';
import { SandboxResolver } from './sandbox/sandbox.resolver.js';
import { SessionResolver } from './session/session.resolver.js';
import { SignInResolver } from './sign-in/sign-in.resolver.js';
import { SigningKeyResolver } from './signing-key/signing-key.resolver.js';
import { SocialSignInResolver } from './social/social-sign-in.resolver.js';
import { StatementResolver } from './statement/statement.resolver.js';
import { SubscriptionResolver } from './subscription/subscription.resolver.js';
import { TokenResolver } from './token/token.resolver.js';
import { TransactionResolver } from './transaction/transaction.resolver.js';
import { UsageRecordResolver } from './usage/usage-record.resolver.js';
import { UserResolver } from './user/user.resolver.js';
import { WebhookResolver } from './webhook/webhook.resolver.js';

/** All that answers in accounts. */
export const RESOLVERS: NonEmptyArray<new () => object> = [
  SubstrateAddressResolver,
  CreditBalanceResolver,
  DepositResolver,
  HoldResolver,
  LedgerResolver,
  EmailResolver,
  WebhookEndpointResolver,
  NotificationResolver,
  PaymentResolver,
  PreferenceResolver,
  TokenPriceResolver,
  LedgerProofResolver,
  ReferralResolver,
  SandboxResolver,
  SessionResolver,
  SignInResolver,
  SigningKeyResolver,
  SocialSignInResolver,
  StatementResolver,
  SubscriptionResolver,
  TokenResolver,
  TransactionResolver,
  UsageRecordResolver,
  UserResolver,
  WebhookResolver,
];
