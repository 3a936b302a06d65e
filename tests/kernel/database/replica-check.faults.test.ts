import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase } from '../../../kernel/database/database.js';
import { openEmbeddedPostgres } from '../../../kernel/database/postgres/embedded.js';
import { findReplicaProblem } from '../../../kernel/database/replica-check.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { freePort } from '../../kit/arrangements.js';
import { newDatabase } from '../../kit/database/own-database.js';
import { runToEnd } from '../../kit/run.js';
import { ask } from '../../kit/watch.js';

let [url, other] = ['', ''];
beforeAll(async () => {
  [url = '', other = ''] = await Promise.all([newDatabase(), newDatabase()]);
});

describe('a start whose DATABASE_REPLICA_URL', () => {
  const start = async (replicaUrl: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'archipelago-replica-'));
    const env = { PORT: '0', DATA_DIR: join(folder, 'data'), DATABASE_URL: url, DATABASE_REPLICA_URL: replicaUrl };
    const { code, stderr } = await runToEnd(['bundle/platform.js'], env);
    await rm(folder, { recursive: true, force: true });
    return { code, said: stderr.trim().split('\n') };
  };

  it('names another PostgreSQL server is refused', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'archipelago-other-'));
    const postgres = await openEmbeddedPostgres({ dataDir, log: () => undefined });
    const { host } = new URL(postgres.url);
    expect(await start(postgres.url)).toEqual({
      code: 1,
      said: [
        `DATABASE_REPLICA_URL: ${host} is not a replica of DATABASE_URL: it is a different PostgreSQL server. Set it to a streaming replica of DATABASE_URL, or unset it.`,
      ],
    });
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('names another database of the server is refused', async () => {
    expect(await start(other)).toEqual({
      code: 1,
      said: [
        expect.stringMatching(
          /^DATABASE_REPLICA_URL: \S+ is not a replica of DATABASE_URL: it is another database of the same server\. /,
        ),
      ],
    });
  });
});

describe('findReplicaProblem', () => {
  it('ignores an unreachable replica, because reads fall back to the primary', async () => {
    const gone = new URL(url);
    gone.port = `${await freePort()}`;
    expect(await findReplicaProblem(url, gone.href)).toBeUndefined();
    expect(await findReplicaProblem(url, url)).toBeUndefined();
  });

  it('requires EXECUTE on pg_control_system', async () => {
    const role = `replica_${randomUUID().replaceAll('-', '')}`;
    await ask(url, 'REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
    await ask(url, `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    const restricted = new URL(url);
    [restricted.username, restricted.password] = [role, role];
    expect(await findReplicaProblem(restricted.href, restricted.href)).toMatch(
      /^DATABASE_REPLICA_URL: .* GRANT EXECUTE ON FUNCTION pg_control_system\(\) TO /,
    );
    await ask(url, `GRANT EXECUTE ON FUNCTION pg_control_system() TO ${role}`);
    expect(await findReplicaProblem(restricted.href, restricted.href)).toBeUndefined();
    await ask(url, `REVOKE EXECUTE ON FUNCTION pg_control_system() FROM ${role}`);
    await ask(url, `GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC`);
    await ask(url, `DROP ROLE ${role}`);
  });
});

it('reads from the primary when the replica address later points to another database', async () => {
  const log = openLog('silent', 'tests');
  const database = connectDatabase({ url, replicaUrl: other, schema: 'network', log });
  const found = await database.snapshot((snapshot) => snapshot.execute('SELECT current_database() AS name'));
  expect(found).toEqual([{ name: new URL(url).pathname.slice(1) }]);
  await database.close();
});
