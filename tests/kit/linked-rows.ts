import { Client } from 'pg';

/** The URL of the database of a subgraph. */
export type DatabaseOf = (subgraph: string) => string;

async function execute(url: string, text: string, values: readonly unknown[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(text, [...values]);
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
  INSERT INTO infrastructure.vm_billing (instance_id, user_id, credits_per_hour, is_wanted, hold_number, hold_state, hold_credits)
  SELECT id, user_id, 1, false, 1, 'closed', 1 FROM machine`;

/** Enrolls the copied machines of the user as peers of the same names. */
const COPY_PEERS = `WITH peer AS (
  INSERT INTO network.peer (tenant_id, label, ip, created_at)
  SELECT t.id, 'copy-' || n, set_masklen(t.address_range::inet + (1000 + n), 32), now()
    FROM network.tenant t, generate_series(1, $2) n WHERE t.user_id = $1
  RETURNING id, tenant_id, label)
  INSERT INTO network.enrollment (tenant_id, peer_id, name, key_hash, masked_key, expires_at, created_at, vm, sealed_command)
  SELECT tenant_id, id, label, md5('key ' || id), '…', now(), now(), md5('machine ' || $1 || ' ' || substr(label, 6))::uuid, '-'
    FROM peer`;

/** Gives a user this number of machines, each a peer of the user's network. @param like id of one of the user's machines */
export async function addMachines(
  databaseOf: DatabaseOf,
  { userId, like }: { readonly userId: number; readonly like: number },
  count: number,
): Promise<void> {
  await execute(databaseOf('infrastructure'), COPY_MACHINES, [like, count]);
  await execute(databaseOf('network'), COPY_PEERS, [userId, count]);
}
