import { Client, type QueryResult } from 'pg';

/** The URL of the database of a subgraph. */
export type DatabaseOf = (subgraph: string) => string;

async function execute(url: string, text: string, values: readonly unknown[]): Promise<QueryResult> {
  const client = new Client(url);
  await client.connect();
  try {
    return await client.query(text, [...values]);
  } finally {
    await client.end();
  }
}

/** Copies a machine of the user so often, with its billing; the copies are stopped. The names are `copy-<number>`. */
const COPY_MACHINES = `WITH machine AS (
  INSERT INTO infrastructure.vm_instance (uuid, user_id, name, flavor_id, image_id, flavor_name, cpu_cores, memory_mb,
         disk_gb, image_name, ssh_public_key, wanted_state, state, request_hash, created_at, updated_at)
  SELECT md5('machine ' || user_id || ' ' || n)::uuid, user_id, 'copy-' || n, flavor_id, image_id, flavor_name, cpu_cores,
         memory_mb, disk_gb, image_name, ssh_public_key, 'stopped', 'stopped', request_hash, now(), now()
    FROM infrastructure.vm_instance, generate_series(1, $2) n WHERE id = $1
  RETURNING id, user_id)
  INSERT INTO infrastructure.vm_billing (instance_id, user_id, credits_per_hour, should_run, hold_number, hold_state, hold_credits)
  SELECT id, user_id, 1, false, 1, 'closed', 1 FROM machine`;

/** Enrolls the copied machines of the user as peers of the same names, each in a group of its own, with a certificate. */
const COPY_PEERS = `WITH peer AS (
  INSERT INTO network.peer (tenant_id, label, ip, created_at, certificate, certificate_fingerprint, certificate_not_after)
  SELECT t.id, 'copy-' || n, set_masklen(t.address_range::inet + (1000 + n), 32), now(), '-', md5('certificate ' || $1::integer || n),
         now() + interval '1 day'
    FROM network.tenant t, generate_series(1, $2) n WHERE t.user_id = $1::integer
  RETURNING id, tenant_id, label),
  groups AS (
  INSERT INTO network.group (tenant_id, label, created_at) SELECT tenant_id, label, now() FROM peer
  RETURNING id, tenant_id, label),
  member AS (
  INSERT INTO network.member (tenant_id, group_id, peer_id)
  SELECT tenant_id, groups.id, peer.id FROM groups JOIN peer USING (tenant_id, label)),
  holder AS (
  INSERT INTO network.certificate_holder (reference, tenant_id, peer_id, key_number, created_at)
  SELECT md5('record ' || $1::integer || ' ' || substr(label, 6))::uuid, tenant_id, id, 1, now() FROM peer)
  INSERT INTO network.enrollment (tenant_id, peer_id, name, key_hash, masked_key, expires_at, created_at, vm, sealed_command)
  SELECT tenant_id, id, label, md5('key ' || id), '…', now(), now(),
         md5('machine ' || $1::integer || ' ' || substr(label, 6))::uuid, '-'
    FROM peer`;

/** Makes as many records of certificates, of the same peers, and buckets. */
const COPY_RECORDS = `WITH bucket AS (
  INSERT INTO infrastructure.bucket (user_id, name, created_at)
  SELECT $1::integer, 'copy-' || $1::integer || '-' || n, now() FROM generate_series(1, $2) n)
  INSERT INTO infrastructure.overlay_certificate (reference, user_id, state, public_key, is_own_key, ip, expires_at, created_at)
  SELECT md5('record ' || $1::integer || ' ' || n)::uuid, $1::integer, 'revoked', decode(repeat('00', 32), 'hex'), true, '100.64.0.1',
         now() + interval '1 day', now()
    FROM generate_series(1, $2) n`;

/** Charges each copied machine once and makes as many payments, so that each has a line in the statement. */
const CHARGE_COPIES = `WITH transfer AS (
  INSERT INTO accounts.transfer (source, reference, kind, reason, created_at, link)
  SELECT 'vm', md5('charge ' || $1::integer || ' ' || n), 'settlement', 'a test', now(), md5('machine ' || $1::integer || ' ' || n)::uuid || ':1'
    FROM generate_series(1, $2) n
  RETURNING id)
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT transfer.id, a.id, CASE WHEN a.user_id IS NULL THEN 0.01 ELSE -0.01 END
    FROM transfer, accounts.ledger_account a WHERE a.user_id = $1::integer OR a.name = 'revenue'`;
const PAY_COPIES = `WITH transaction AS (
  INSERT INTO accounts.transaction (id, user_id, payment_type, amount, currency, credits, status, created_at, updated_at)
  SELECT md5('payment ' || $1::integer || ' ' || n)::uuid, $1::integer, 'payproc', 1, 'USD', 1, 'completed', now(), now()
    FROM generate_series(1, $2) n
  RETURNING id),
  transfer AS (
  INSERT INTO accounts.transfer (source, reference, kind, reason, created_at, link)
  SELECT 'payment', id, 'grant', 'a test', now(), id FROM transaction
  RETURNING id)
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT transfer.id, a.id, CASE WHEN a.user_id IS NULL THEN -1 ELSE 1 END
    FROM transfer, accounts.ledger_account a WHERE a.user_id = $1::integer OR a.name = 'issuance'`;

const ADD_USERS = `WITH added AS (
  INSERT INTO accounts.user (username, created_at) SELECT 'owner ' || n, now() FROM generate_series(1, $1::integer) n
  ON CONFLICT DO NOTHING RETURNING id)
  INSERT INTO accounts.ledger_account (user_id, balance, updated_at) SELECT id, 0, now() FROM added`;
const ADD_PROJECTS = `INSERT INTO infrastructure.model_project (project, owner_user_id, is_public)
  SELECT 'copy-' || id, id, true FROM unnest($1::integer[]) id ON CONFLICT DO NOTHING`;
const ADD_TENANTS = `WITH tenant AS (
  INSERT INTO network.tenant (user_id, status, address_range, range_number, created_at)
  SELECT id, 'active', set_masklen('10.0.0.0'::inet + id * 256, 24), 10000 + id, now() FROM unnest($1::integer[]) id
  ON CONFLICT DO NOTHING RETURNING id),
  networks AS (
  INSERT INTO network.network (tenant_id, name, is_default, created_at) SELECT id, 'default', true, now() FROM tenant)
  INSERT INTO network.group (tenant_id, label, is_default, created_at) SELECT id, 'all', true, now() FROM tenant`;

/** Adds this number of users, each with a balance, a private network and a project in the model registry. */
export async function addUsers(databaseOf: DatabaseOf, count: number): Promise<void> {
  const url = databaseOf('accounts');
  await execute(url, ADD_USERS, [count]);
  const { rows } = await execute(url, "SELECT id FROM accounts.user WHERE username LIKE 'owner %'", []);
  const ids = rows.map(({ id }) => id);
  await execute(databaseOf('infrastructure'), ADD_PROJECTS, [ids]);
  await execute(databaseOf('network'), ADD_TENANTS, [ids]);
}

/** Adds registered folders, each with the charge for storage of a day of its own. */
const COPY_FOLDERS = `WITH folder AS (
  INSERT INTO sync.folder (owner_id, folder_hash, label, created_at, updated_at)
  SELECT id, substr(md5('folder ' || n), 1, 16), 'copy-' || n, now(), now()
    FROM sync.owner, generate_series(1, $2::integer) n WHERE address = $1
  RETURNING id, owner_id, '2026-11-01'::date - substr(label, 6)::integer AS day),
  share AS (INSERT INTO sync.folder_period (owner_id, folder_id, day, stored_bytes) SELECT owner_id, id, day, 5 FROM folder)
  INSERT INTO sync.storage_period (owner_id, day, stored_bytes, credits_per_gib_month, state)
  SELECT owner_id, day, 5, 1000000000, 'recorded' FROM folder`;
const CHARGE_FOLDERS = `WITH transfer AS (
  INSERT INTO accounts.transfer (source, reference, kind, reason, created_at, link)
  SELECT 'storage', r, 'storage', 'a test', now(), r
    FROM generate_series(1, $2::integer) n, concat('storage:', $1::text, ':', '2026-11-01'::date - n) r
  RETURNING id)
  INSERT INTO accounts.entry (transfer_id, ledger_account_id, amount)
  SELECT transfer.id, a.id, CASE WHEN a.user_id IS NULL THEN 0.1 ELSE -0.1 END
    FROM transfer, accounts.ledger_account a JOIN accounts.user u ON a.user_id = u.id OR a.name = 'revenue'
   WHERE u.substrate_address = $1`;

/** Gives an owner of folders this number of folders more, each charged once. */
export async function addFolders(databaseOf: DatabaseOf, address: string, count: number): Promise<void> {
  await execute(databaseOf('sync'), COPY_FOLDERS, [address, count]);
  await execute(databaseOf('accounts'), CHARGE_FOLDERS, [address, count]);
}

/** Gives a user this number of machines, charged once, as many payments, and makes each machine a peer of the user's network. @param like id of one of the user's machines */
export async function addMachines(
  databaseOf: DatabaseOf,
  { userId, like }: { readonly userId: number; readonly like: number },
  count: number,
): Promise<void> {
  await execute(databaseOf('infrastructure'), COPY_MACHINES, [like, count]);
  await execute(databaseOf('network'), COPY_PEERS, [userId, count]);
  await execute(databaseOf('infrastructure'), COPY_RECORDS, [userId, count]);
  await execute(databaseOf('accounts'), CHARGE_COPIES, [userId, count]);
  await execute(databaseOf('accounts'), PAY_COPIES, [userId, count]);
}
