import { expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { migrateSchema, migrationFolder } from '../../../kernel/database/migrations.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { ask } from '../../kit/watch.js';

it('keeps ids and references of rows that were written before their keys began with the user', async () => {
  const before = readdirSync(migrationFolder('infrastructure')).filter((name) => name < '20261123150000').length;
  const database = { url: await newDatabase('template1'), schema: 'infrastructure', log: openLog('silent', 'tests') };
  await migrateSchema(database, before);
  const written = (text: string) => ask(database.url, text);
  for (const owner of [7, 8]) {
    await written(`WITH i AS (INSERT INTO infrastructure.vm_instance (uuid, user_id, name, flavor_id, image_id, flavor_name, cpu_cores,
        memory_mb, disk_gb, image_name, ssh_public_key, request_hash, created_at, updated_at)
      VALUES (gen_random_uuid(), ${owner}, 'web', 1, 1, 'spark', 1, 1024, 20, 'Debian', 'key', 'hash', now(), now()) RETURNING id)
      INSERT INTO infrastructure.vm_billing (instance_id, user_id, credits_per_hour, hold_number, hold_state, hold_credits)
      SELECT id, ${owner}, 1, 1, 'closed', 1 FROM i`);
    await written(`WITH b AS (INSERT INTO infrastructure.bucket (user_id, name, created_at) VALUES (${owner}, 'web-${owner}', now()) RETURNING id),
      t AS (INSERT INTO infrastructure.sub_token (user_id, name, access_key_id, secret_hash, last_four, is_all_buckets, actions, prefixes,
        addresses, created_at) VALUES (${owner}, 'web', 'key-${owner}', '', '', false, '{read}', '{}', '{}', now()) RETURNING id)
      INSERT INTO infrastructure.sub_token_bucket (user_id, sub_token_id, bucket_id) SELECT ${owner}, t.id, b.id FROM t, b`);
  }
  await migrateSchema(database);
  const rows = `SELECT json_agg(json_build_array(i.user_id, s.user_id, b.name) ORDER BY i.id)
    FROM infrastructure.vm_instance i JOIN infrastructure.vm_billing p ON p.user_id = i.user_id AND p.instance_id = i.id
    JOIN infrastructure.sub_token_bucket s ON s.user_id = i.user_id
    JOIN infrastructure.bucket b ON b.user_id = s.user_id AND b.id = s.bucket_id`;
  expect(await written(rows)).toEqual([
    [7, 7, 'web-7'],
    [8, 8, 'web-8'],
  ]);
  const swapped = (table: string) => written(`UPDATE infrastructure.${table} SET user_id = 15 - user_id`);
  await expect(swapped('vm_billing')).rejects.toThrow('vm_billing_instance');
  await expect(swapped('sub_token_bucket')).rejects.toThrow('sub_token_bucket');
});
