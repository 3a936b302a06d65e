import type { NonEmptyArray } from 'type-graphql';
import { auditLogResolverOf } from '../../kernel/audit/audit-log.resolver.js';
import { User } from './identity/user/user.js';
import { userReference } from './identity/user/user.reference.js';
import { SubstrateAddressResolver } from './identity/address/substrate-address.resolver.js';
import { CreditBalanceResolver } from './ledger/credit/credit-balance.resolver.js';
import { DepositResolver } from './payments/deposit/deposit.resolver.js';
import { HoldResolver } from './ledger/hold/hold.resolver.js';
import { SpendingResolver } from './ledger/credit/spending.resolver.js';
import { EmailResolver } from './notifications/email/email.resolver.js';
import { WebhookEndpointResolver } from './notifications/webhook/webhook.resolver.js';
import { NotificationResolver } from './notifications/notification/notification.resolver.js';
import { CheckoutResolver } from './payments/checkout/checkout.resolver.js';
import { PreferenceResolver } from './notifications/preference/preference.resolver.js';
import { TokenPriceResolver } from './payments/price/token-price.resolver.js';
import { LedgerProofResolver } from './ledger/proof/ledger-proof.resolver.js';
import { ReferralResolver } from './sign-in/referral/referral.resolver.js';
import { SandboxResolver } from './sandbox/http/sandbox.resolver.js';
import { AccessTokenResolver } from './identity/jwt/access-token.resolver.js';
import { SessionResolver } from './identity/session/session.resolver.js';
import { SignInResolver } from './sign-in/wallet/sign-in.resolver.js';
import { WalletLinkResolver } from './sign-in/wallet/wallet-link.resolver.js';
import { SigningKeyResolver } from './identity/signing-key/signing-key.resolver.js';
import { SocialSignInResolver } from './sign-in/social/social-sign-in.resolver.js';
import { storageChargeReference, vmInstanceReference } from './ledger/statement/subject.reference.js';
import { transactionReference } from './payments/transaction/transaction.reference.js';
import { ChargesResolver } from './ledger/statement/charges.resolver.js';
import { StatementDaysResolver } from './ledger/statement/days.resolver.js';
import { StatementResolver } from './ledger/statement/statement.resolver.js';
import { GroupSubjectResolver, SubjectResolver } from './payments/subject/subject.resolver.js';
import { SubscriptionResolver } from './payments/subscription/subscription.resolver.js';
import { TokenResolver } from './identity/api-token/token.resolver.js';
import { TransactionResolver } from './payments/open-transaction/transaction.resolver.js';
import { UsageRecordResolver } from './ledger/usage/usage-record.resolver.js';
import { UserResolver } from './identity/user/user.resolver.js';
import { UserBalanceResolver } from './ledger/credit/user-balance.resolver.js';
import { RoleResolver } from './identity/role/role.resolver.js';
import { WebhookResolver } from './payments/processor-events/webhook.resolver.js';

/** Every resolver of this subgraph. */
export const RESOLVERS: NonEmptyArray<new () => object> = [
  SubstrateAddressResolver,
  CreditBalanceResolver,
  DepositResolver,
  HoldResolver,
  SpendingResolver,
  EmailResolver,
  WebhookEndpointResolver,
  NotificationResolver,
  CheckoutResolver,
  PreferenceResolver,
  TokenPriceResolver,
  LedgerProofResolver,
  ReferralResolver,
  SandboxResolver,
  AccessTokenResolver,
  SessionResolver,
  SignInResolver,
  WalletLinkResolver,
  SigningKeyResolver,
  SocialSignInResolver,
  StatementDaysResolver,
  StatementResolver,
  ChargesResolver,
  GroupSubjectResolver,
  SubjectResolver,
  SubscriptionResolver,
  TokenResolver,
  TransactionResolver,
  UsageRecordResolver,
  UserResolver,
  UserBalanceResolver,
  RoleResolver,
  WebhookResolver,
  auditLogResolverOf('accounts', User),
];

/** Reference resolvers by entity type. */
export const REFERENCES = {
  StorageCharge: storageChargeReference,
  Transaction: transactionReference,
  User: userReference,
  VmInstance: vmInstanceReference,
};

/** Mutations that the audit log leaves out. */
export const UNAUDITED = [
  // Calls between subgraphs: the ledger and the notifications record each of them.
  'placeHold',
  'settleHold',
  'releaseHold',
  'spendCredits',
  'recordStorageUsage',
  'tellUser',
  'tellAdministrators',
  // They change no data of a user: anybody can start a sign-in, and its user is known when it ends.
  'requestChallenge',
  'startSocialSignIn',
  // A request to the sandbox changes no data of a user.
  'exchangeWithSandbox',
] as const;
