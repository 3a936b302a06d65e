import { AuditEntryRow } from '../../kernel/audit/audit-entry.js';
import type { Db } from '../../kernel/database/query.js';
import { DataKeyRow } from '../../kernel/security/data-key.js';
import { AddressCountRow, RateRow, RefreshTokenRow } from './identity/rows.js';
import { SessionRow } from './identity/session/session.js';
import { SigningKeyRow } from './identity/signing-key/signing-key.js';
import { TokenRow } from './identity/api-token/token.js';
import { UserRow } from './identity/user/user.js';
import { HoldRow } from './ledger/hold/hold.js';
import { LedgerProofRow } from './ledger/proof/ledger-proof.js';
import { EntryRow, LedgerAccountRow, TransferRow } from './ledger/rows.js';
import { UsageRecordRow } from './ledger/usage/usage-record.js';
import { NotificationRow } from './notifications/notification/notification.js';
import { PreferenceRow } from './notifications/preference/preference.js';
import { DeliveryRow, EmailConfirmationRow } from './notifications/rows.js';
import { WebhookEndpointRow } from './notifications/webhook/webhook.js';
import { CheckoutRow } from './payments/checkout/checkout.js';
import { DepositCursorRow } from './payments/deposit/deposit.js';
import { TokenPriceRow } from './payments/price/token-price.js';
import { ProcessorEventRow } from './payments/processor-events/event.js';
import {
  CustomerRow,
  DepositBlockRow,
  DepositPaymentRow,
  DepositRow,
  DisputeRow,
  FailedRefundRow,
  PaymentRow,
  PlanRow,
  ReconciliationRow,
  ReferralRewardRow,
  TransactionCountRow,
  TransactionRow,
  UnlinkedCustomerRow,
} from './payments/rows.js';
import { SubscriptionRow } from './payments/subscription/subscription.js';
import {
  SandboxAttemptRow,
  SandboxBlockRow,
  SandboxDeliveryRow,
  SandboxObjectRow,
  SandboxRequestRow,
  SandboxSettingRow,
  SandboxTransferRow,
} from './sandbox/rows.js';
import { AuthCodeRow, ChallengeRow, IdentityRow, PendingLoginRow } from './sign-in/rows.js';

/** The classes of all tables. A test compares them with the migrated database. */
export const ENTITIES = [
  AddressCountRow,
  AuditEntryRow,
  AuthCodeRow,
  ChallengeRow,
  CheckoutRow,
  CustomerRow,
  DataKeyRow,
  DeliveryRow,
  DepositBlockRow,
  DepositCursorRow,
  DepositPaymentRow,
  DepositRow,
  DisputeRow,
  EmailConfirmationRow,
  EntryRow,
  FailedRefundRow,
  HoldRow,
  IdentityRow,
  LedgerAccountRow,
  LedgerProofRow,
  NotificationRow,
  PaymentRow,
  PendingLoginRow,
  PlanRow,
  PreferenceRow,
  ProcessorEventRow,
  RateRow,
  ReconciliationRow,
  ReferralRewardRow,
  RefreshTokenRow,
  SandboxAttemptRow,
  SandboxBlockRow,
  SandboxDeliveryRow,
  SandboxObjectRow,
  SandboxRequestRow,
  SandboxSettingRow,
  SandboxTransferRow,
  SessionRow,
  SigningKeyRow,
  SubscriptionRow,
  TokenPriceRow,
  TokenRow,
  TransactionCountRow,
  TransactionRow,
  TransferRow,
  UnlinkedCustomerRow,
  UsageRecordRow,
  UserRow,
  WebhookEndpointRow,
];

/** The tables by the names that statements use. */
export type Tables = Db<{
  addressCount: AddressCountRow;
  authCode: AuthCodeRow;
  challenge: ChallengeRow;
  checkout: CheckoutRow;
  customer: CustomerRow;
  delivery: DeliveryRow;
  depositBlock: DepositBlockRow;
  depositCursor: DepositCursorRow;
  depositPayment: DepositPaymentRow;
  deposit: DepositRow;
  dispute: DisputeRow;
  emailConfirmation: EmailConfirmationRow;
  entry: EntryRow;
  failedRefund: FailedRefundRow;
  hold: HoldRow;
  identity: IdentityRow;
  ledgerAccount: LedgerAccountRow;
  ledgerProof: LedgerProofRow;
  notification: NotificationRow;
  payment: PaymentRow;
  pendingLogin: PendingLoginRow;
  plan: PlanRow;
  preference: PreferenceRow;
  processorEvent: ProcessorEventRow;
  rate: RateRow;
  reconciliation: ReconciliationRow;
  referralReward: ReferralRewardRow;
  refreshToken: RefreshTokenRow;
  sandboxAttempt: SandboxAttemptRow;
  sandboxBlock: SandboxBlockRow;
  sandboxDelivery: SandboxDeliveryRow;
  sandboxObject: SandboxObjectRow;
  sandboxRequest: SandboxRequestRow;
  sandboxSetting: SandboxSettingRow;
  sandboxTransfer: SandboxTransferRow;
  session: SessionRow;
  signingKey: SigningKeyRow;
  subscription: SubscriptionRow;
  tokenPrice: TokenPriceRow;
  token: TokenRow;
  transaction: TransactionRow;
  transactionCount: TransactionCountRow;
  transfer: TransferRow;
  unlinkedCustomer: UnlinkedCustomerRow;
  usageRecord: UsageRecordRow;
  user: UserRow;
  webhookEndpoint: WebhookEndpointRow;
}>;
