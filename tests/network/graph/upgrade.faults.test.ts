import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrateSchema, migrationFolder } from '../../../kernel/database/migrations.js';
import { packageRoot } from '../../../kernel/package-root.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { newDatabase, startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { call, codeOf, graphql, type Json } from '../../kit/platform.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
let user: SignedIn;
beforeAll(async () => {
  platform = await startOnDatabase();
  user = await signIn(undefined, platform.url);
  await send('POST /api/network/provision/');
}, 120_000);
afterAll(() => platform.stop());

const send = (target: string, body?: object) => call(target, { token: user.token, url: platform.url, body });
const sql = (text: string) => ask(platform.databaseUrl, text);

describe('a private network of before', () => {
  it('keeps the first where a machine is attached several times', async () => {
    for (const name of ['one', 'two', 'three']) await send('POST /api/network/infra/enroll/', { name });
    await sql('DROP INDEX network.infra_vm');
    await sql("UPDATE network.infra_enrollment SET vm_instance = 'x' WHERE name <> 'three'");
    const migration = 'subgraphs/network/migrations/20261122002000_attached_once.sql';
    const statements = readFileSync(join(packageRoot(), migration), 'utf8').split(/;$/m);
    for (const statement of statements) await sql(statement);
    const { body } = await send('GET /api/network/infra/enrollments/');
    expect(body.map(({ vm_instance }: Json) => vm_instance)).toEqual(['x', null, null]);
  });

  it('gets back enabled what was deleted when nothing could be disabled', async () => {
    const { default_network: network } = (await send('GET /api/network/me/')).body;
    const path = `/api/network/networks/${network}/resources/`;
    const { body } = await send(`POST ${path}`, { name: 'lan', address: '10.0.0.0/8' });
    await send(`DELETE ${path}${body.id}/`);
    await sql("UPDATE network.change_item SET before = before - 'enabled' WHERE kind = 'resource'");
    const undone = await graphql('mutation { undoLastChange { id } }', { token: user.token, url: platform.url });
    expect([codeOf(undone), (await send(`GET ${path}`)).body]).toEqual([undefined, [body]]);
  });
});

describe('rows of before their keys began with the tenant', () => {
  it('keep their ids, their references and the tenant of each change', async () => {
    const before = readdirSync(migrationFolder('network')).filter((name) => name < '20261123150000').length;
    const database = { url: await newDatabase('template1'), schema: 'network', log: openLog('silent', 'tests') };
    await migrateSchema(database, before);
    const written = (text: string) => ask(database.url, text);
    for (const owner of [7, 8])
      await written(`WITH t AS (INSERT INTO network.tenant (user_id, status, address_range, range_number, created_at)
          VALUES (${owner}, 'active', '100.64.0.0/22', ${owner}, now()) RETURNING id),
        g AS (INSERT INTO network.group (tenant_id, label, created_at) SELECT id, 'web', now() FROM t RETURNING id, tenant_id),
        p AS (INSERT INTO network.peer (tenant_id, label, ip, created_at) SELECT id, 'web', '100.64.0.2', now() FROM t RETURNING id),
        m AS (INSERT INTO network.member (tenant_id, group_id, peer_id) SELECT g.tenant_id, g.id, p.id FROM g, p),
        c AS (INSERT INTO network.change (tenant_id, revision, user_id, at) SELECT id, 1, ${owner}, now() FROM t RETURNING id)
        INSERT INTO network.change_item (change_id, kind, after) SELECT c.id, 'group', to_jsonb(g) FROM c, g`);
    await migrateSchema(database);
    const rows = `SELECT json_agg(json_build_array(t.user_id, i.after ->> 'id' = g.id::text, m.peer_id = p.id) ORDER BY t.id)
      FROM network.tenant t JOIN network.change c ON c.tenant_id = t.id
      JOIN network.change_item i ON i.tenant_id = t.id AND i.change_id = c.id JOIN network.group g ON g.tenant_id = t.id
      JOIN network.member m ON m.tenant_id = t.id AND m.group_id = g.id JOIN network.peer p ON p.tenant_id = t.id`;
    expect(await written(rows)).toEqual([
      [7, true, true],
      [8, true, true],
    ]);
    const foreign = 'UPDATE network.member m SET group_id = g.id FROM network.group g WHERE g.tenant_id <> m.tenant_id';
    await expect(written(foreign)).rejects.toThrow('member_group');
  });
});

describe('a private network of 500 routers', () => {
  it('takes no more: 409, and it keeps those it has', async () => {
    const { id: tenant, default_network: network } = (await send('GET /api/network/me/')).body;
    const { peer } = (await send('POST /api/network/peers/enroll/', {})).body;
    await sql(
      `INSERT INTO network.network (tenant_id, name, created_at) SELECT ${tenant}, 'n' || n, now() FROM generate_series(1, 100) n`,
    );
    await sql(
      `INSERT INTO network.peer (tenant_id, label, ip, created_at)
       SELECT ${tenant}, 'p' || n, '100.64.7.0'::inet + n, now() FROM generate_series(1, 5) n`,
    );
    await sql(
      `INSERT INTO network.router (tenant_id, network_id, peer_id, masquerade, metric, created_at)
       SELECT ${tenant}, n.id, p.id, true, 1, now() FROM network.network n, network.peer p
        WHERE NOT n.is_default AND p.label ~ '^p[0-9]' AND n.tenant_id = ${tenant}`,
    );
    const { status, body } = await send(`POST /api/network/networks/${network}/routers/`, { peer });
    const error = 'A private network may contain at most 500 routers; this change would make it 501.';
    expect({ status, body }).toEqual({ status: 409, body: { error } });
    expect((await send('GET /api/network/me/')).body.counts.routers).toBe(500);
  });
});
