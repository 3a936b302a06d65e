/** What the rows of a table belong to, when they have no column of an owner: `docs/decisions/0023`. */
type Kind =
  /** Small and the same for all owners: copied to each database node. */
  | 'reference'
  /** Of the platform, not of a user: stays on one node. */
  | 'platform'
  /** Found by something that is unique over all owners, before the owner is known: stays on one node, or is a lookup. */
  | 'lookup'
  /** Of a user, and has no column that says so yet. */
  | 'owner is missing';

/** The column that names the owner of a row. The row of the owner itself has it as `id`. */
export const OWNER_COLUMNS: Readonly<Record<string, string>> = {
  accounts: 'user_id',
  infrastructure: 'user_id',
  network: 'tenant_id',
  sync: 'owner_id',
};

/** Tables with another column of their owner than the rest of their schema. */
export const OTHER_OWNER_COLUMNS: Readonly<Record<string, string>> = {
  'network.audit_entry': 'user_id',
  'sync.audit_entry': 'user_id',
};

/** The tables whose rows are the owners. */
export const OWNERS: readonly string[] = ['accounts.user', 'network.tenant', 'sync.owner'];

/** All tables without a column of an owner. */
const TABLES_WITHOUT_OWNER: Readonly<Record<Kind, readonly string[]>> = {
  reference: [
    'accounts.plan',
    'accounts.referral_reward',
    'accounts.signing_key',
    'accounts.token_price',
    'infrastructure.vm_application',
    'infrastructure.vm_flavor',
    'infrastructure.vm_image',
    'sync.storage_price',
  ],
  platform: [
    'accounts.address_count',
    'accounts.data_key',
    'accounts.deposit_block',
    'accounts.deposit_cursor',
    'accounts.ledger_proof',
    'accounts.migration',
    'accounts.processor_event',
    'accounts.reconciliation',
    'accounts.sandbox_attempt',
    'accounts.sandbox_block',
    'accounts.sandbox_delivery',
    'accounts.sandbox_object',
    'accounts.sandbox_request',
    'accounts.sandbox_setting',
    'accounts.sandbox_transfer',
    'infrastructure.data_key',
    'infrastructure.hosted_machine',
    'infrastructure.migration',
    'infrastructure.model_content',
    'infrastructure.model_crawl',
    'infrastructure.model_project',
    'infrastructure.model_repository',
    'infrastructure.model_tag',
    'infrastructure.model_version',
    'infrastructure.simulated_machine',
    'network.data_key',
    'network.join_refusal',
    'network.migration',
    'sync.damaged_chunk',
    'sync.discarded_object',
    'sync.migration',
    'sync.closing_day',
    'sync.storage_day',
    'sync.store',
  ],
  lookup: ['accounts.challenge', 'accounts.pending_login', 'accounts.rate'],
  'owner is missing': ['accounts.transfer'],
};

/** Tables that each database node can have a copy of. */
export const REFERENCE = TABLES_WITHOUT_OWNER.reference;

/** Tables of users without a column of their owner. */
export const MISSING = TABLES_WITHOUT_OWNER['owner is missing'];

/** All tables without a column of an owner, but those of the owners. */
export const WITHOUT_OWNER = Object.values(TABLES_WITHOUT_OWNER).flat();

/** The column by which the rows of a table are distributed; undefined for one that is not. */
export function ownerColumn(table: string): string | undefined {
  if (OWNERS.includes(table)) return 'id';
  if (WITHOUT_OWNER.includes(table)) return undefined;
  return OTHER_OWNER_COLUMNS[table] ?? OWNER_COLUMNS[table.split('.')[0] ?? ''];
}
