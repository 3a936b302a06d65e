/** Unique over all owners by design, by the reason in docs/decisions/0024: what is unique is known before the owner. */
const LOOKUPS: Readonly<Record<string, readonly string[]>> = {
  'names and addresses, which only one user has': [
    'accounts.identity (issuer, subject)',
    'accounts.user (ethereum_address)',
    'accounts.user (referral_code)',
    'accounts.user (substrate_address)',
    'accounts.user (username)',
    'infrastructure.bucket (name)',
  ],
  'secrets, by which a request names its owner': [
    'accounts.auth_code (hash)',
    'accounts.token (hash)',
    'infrastructure.sub_token (access_key_id)',
    'network.enrollment (key_hash)',
    'network.peer (token_hash)',
    'sync.upload_session (id)',
  ],
  'payments: the processor and the chains name no user, and nothing is granted twice': [
    'accounts.checkout (id)',
    'accounts.checkout (session_id)',
    'accounts.customer (processor_customer_id)',
    'accounts.deposit (address)',
    'accounts.deposit (derivation_index)',
    'accounts.deposit (transaction_id)',
    'accounts.deposit_payment (chain, reference)',
    'accounts.payment (invoice_id)',
    'accounts.payment (payment_intent_id)',
    'accounts.payment (transaction_id)',
    'accounts.subscription (processor_subscription_id)',
    'accounts.transaction (payment_address)',
  ],
  'idempotency: a reference belongs to one user': ['accounts.hold (source, reference)'],
  'names that another subgraph, a host or a checker knows': [
    'infrastructure.vm_instance (uuid)',
    'network.certificate_holder (reference)',
    'network.tenant (range_number)',
    'network.tenant (user_id)',
    'sync.owner (address)',
  ],
};

/** The ledger: a transfer has entries of the user and of the platform. */
const OF_THE_LEDGER = [
  'accounts.entry (transfer_id, ledger_account_id)',
  'accounts.ledger_account (debtor_id)',
  'accounts.ledger_account (id)',
  'accounts.ledger_account (name)',
];

/** Unique keys without the column of the owner. The lists only become shorter. */
export const KEYS_WITHOUT_OWNER: readonly string[] = [...Object.values(LOOKUPS).flat(), ...OF_THE_LEDGER];

/** Foreign keys that do not stay within an owner: the ledger, and who referred a user. The list only becomes shorter. */
export const REFERENCES_ACROSS_OWNERS: readonly string[] = [
  'accounts.entry (ledger_account_id) to accounts.ledger_account',
  'accounts.entry (transfer_id) to accounts.transfer',
  'accounts.ledger_account (debtor_id) to accounts.user',
  'accounts.user (referred_by) to accounts.user',
];
