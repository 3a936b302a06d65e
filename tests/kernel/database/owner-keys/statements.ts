/** The names in a text; `*` ends the beginning of the names of a family. */
const named = (text: string): string[] => text.trim().split(/\s+/);

/** Jobs, gauges and lists of administrators, which look for rows of all owners. They stay as they are: a query on every node. */
const OF_EVERY_OWNER = named(`
  administrators balance-count balance-page balance-page-from-end bucket-name-is-taken buckets-to-check checkout-overdue count-machines delete-damage-of-chunks
  delete-expired-codes delete-expired-upload-session delete-old-folder-periods delete-old-refresh-tokens
  delete-old-sessions delete-old-storage-periods delete-old-tokens deposit-address-count deposit-addresses deposit-awaited deposit-expire
  deposit-payment-credited deposit-payment-vanish deposit-payments-deep-enough deposit-watched deposit-watched-any
  deposit-watches discard-objects-without-chunk event-waiting expired-holds free-address-range insert-storage-periods late-deliveries
  ledger-differences-of-statements ledger-differences-of-transfers ledger-differences-of-users ledger-figures
  lock-due-objects lock-next-folder-to-purge mark-notifications-planned netbird-delete-drift netbird-latest-drift
  netbird-tenants netbird-tenants-behind netbird-tenants-with-machines objects-to-back-up open-delivery-work open-holds
  open-upload-sessions overlay-certificates-in-use overlay-certificates-on-the-way payment-flagged payments-unpaid service-tokens
  store-of-directory stored-authority-keys stored-certificate-keys stored-earlier-endpoint-secrets
  stored-endpoint-secrets stored-join-commands
  stored-previous-endpoint-secrets subscription-by-id subscription-count subscription-page-* sync-chunk-named
  sync-chunks-beside sync-chunks-to-check sync-damaged-chunks sync-damaged-to-check sync-open-storage-periods sync-storage-check
  sync-unknown-damage tenants-to-notify tenants-with-gone-addresses tenants-with-new-phases tenants-with-stale-peers
  user-list vm-at-rest vm-billed vm-on-the-way
`);

/** Lookups by design (docs/decisions/0024): they begin with something else that is unique, as an address, a hash or a reference. */
const OF_AN_OWNER_TO_FIND = named(`
  addresses-of-vms attached-vm balance-of-address browse-place certificates-by-fingerprint certificates-of-peers
  charges-of-folders checkout-lock customer-of-user first-superuser folders-by-id folders-of-charges
  folders-of-owner graph-revision-of-user groups-by-id groups-of-user grow-graph-of-user hold-tenant-of-user
  holder-certificate holder-terms infra-of-user invoice-checkout invoice-price link-wallet lock-hold
  lock-live-folder lock-upload-session-to-delete lock-user-by-address
  lock-user-of-wallet machines-of-peers move-subscriptions network-of-user networks-of-user open-uploads-of-folders
  owner-of-address owner-of-token payment-lock peer-by-token peer-of-user peer-of-vm peers-by-id
  peers-of-certificate-records peers-of-groups peers-of-machines peers-of-user policies-of-user
  revoke-setup-key sandbox-deposit search-owner set-referrer setup-keys-of-user
  subscription-lock sync-by-kind sync-deleted-folders sync-download sync-file sync-folder-entries sync-present-revision
  sync-state sync-stored-beside sync-totals take-code tenant-of-setup-key tenant-of-user token-holders-by-hash
  token-use topology-of-user topology-version-of-user unproved-claim unregister-folder upload-session upload-session-status
  user-by-address user-by-name user-of-checkout user-of-customer user-of-identity vm-by-uuid
`);

/** Read or post transfers, which have entries of the user and of the platform: docs/decisions/0024, the ledger. */
const OF_THE_LEDGER = named(`
  charges-of-subjects grant-of-other-reason insert-entries-charged insert-entries-granted insert-entries-taken-back
  same-transfer settlement-transfer statement-days statement-lines
`);

/** The statements about rows of users that do not name the owner. The lists only become shorter. */
export const STATEMENTS_WITHOUT_OWNER: readonly string[] = [
  ...OF_EVERY_OWNER,
  ...OF_AN_OWNER_TO_FIND,
  ...OF_THE_LEDGER,
];
