import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectDatabase } from '../../../kernel/database/database.js';
import { openLog } from '../../../kernel/telemetry/log.js';
import { createDatabase, startInProcess, type RunningPlatform } from '../../kit/arrangements.js';
import { machineIn, spawn } from '../../kit/machines/machine.js';
import { sayExpected } from '../../kit/expected-lines.js';
import { hasPgBouncer, startPgBouncer, type RunningPgBouncer } from '../../kit/database/pgbouncer.js';
import { call } from '../../kit/platform.js';
import { S3_KEYS, startS3, type RunningS3 } from '../../kit/blobs/s3.js';
import { TestSocket } from '../../kit/socket.js';
import { grant, setRoles, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask } from '../../kit/watch.js';

/** Less than the processes of the platform open, so that transactions of several share each connection. */
const POOL_SIZE = 4;

/** Connections to PostgreSQL itself: two processes of four subgraphs, with one for events and four for the queue each. */
const DIRECT = 2 * 4 * 5;

const TOPOLOGY = 'subscription { topologyChanged { nodes { label } } }';

const isInstalled = hasPgBouncer();

if (!isInstalled)
  describe('PgBouncer', () => {
    it('is not tried without PgBouncer', () => {
      sayExpected('PgBouncer is not installed (Debian: apt-get install pgbouncer)');
      expect(isInstalled).toBe(false);
    });
  });
else describe('two platforms on PgBouncer in transaction mode', describePlatforms);

function describePlatforms(): void {
  let databaseUrl: string;
  let bouncer: RunningPgBouncer;
  let store: RunningS3;
  let platforms: readonly RunningPlatform[] = [];
  let [first, second] = ['', ''];
  let user: SignedIn;
  beforeAll(async () => {
    databaseUrl = await createDatabase(process.env.SHARED_POSTGRES ?? '', `own_${randomUUID().replaceAll('-', '')}`);
    bouncer = await startPgBouncer(databaseUrl, POOL_SIZE);
    store = await startS3();
    const addresses = { BLOB_URL: store.url, DATABASE_URL: databaseUrl, DATABASE_POOL_URL: bouncer.url };
    const env = { ...S3_KEYS, ...addresses, DATA_KEY: Buffer.alloc(32, 1).toString('base64') };
    // Both migrate the empty database: one waits for the lock of the other.
    platforms = await Promise.all([startInProcess(env), startInProcess(env)]);
    [first = '', second = ''] = platforms.map(({ url }) => url);
    user = await signIn(undefined, first);
    await setRoles(user.substrateAddress, ['BETA'], first);
    await grant(user, '1000', first);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(platforms.map((platform) => platform.stop()));
    await bouncer.stop();
    await store.close();
  });

  it('count the credits that many transfers at once grant', async () => {
    const other = await signIn(undefined, second);
    await Promise.all(Array.from({ length: 30 }, (_, at) => grant(other, '1', at % 2 === 0 ? first : second)));
    const { body } = await call('GET /api/billing/credits/balance/', { token: other.token, url: first });
    expect(Number(body.balance ?? body.results?.[0]?.balance)).toBe(30);
  });

  it('run the jobs of a machine', async () => {
    const { status, body } = await spawn(user, { url: first });
    expect(status).toBe(202);
    await machineIn('running', body.id, { token: user.token, url: second });
  });

  it('tell subscribers at one of a change at the other', async () => {
    await call('POST /api/network/provision/', { token: user.token, url: first });
    const socket = await TestSocket.open(user.token, first);
    socket.subscribe('1', TOPOLOGY);
    await socket.result('1', 1);
    await call('POST /api/network/groups/', { token: user.token, url: second, body: { label: 'web' } });
    expect((await socket.result('1', 2)).data.topologyChanged.nodes).toEqual([{ label: 'web' }]);
    socket.close();
  });

  it('answer many requests at once over few connections', async () => {
    const paths = ['/api/billing/credits/balance/', '/api/network/groups/', '/api/infrastructure/vm/instances/'];
    const requests = Array.from({ length: 90 }, (_, at) =>
      call(`GET ${paths[at % 3]}`, { token: user.token, url: at % 2 === 0 ? first : second }),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const connections = await ask(
      databaseUrl,
      'SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    expect(connections).toBeLessThanOrEqual(POOL_SIZE + DIRECT);
  });

  it('have the limits of time that PgBouncer sets', async () => {
    const database = connectDatabase({
      url: databaseUrl,
      poolUrl: bouncer.url,
      schema: 'accounts',
      log: openLog('silent', 'tests'),
    });
    const limits = await Promise.all(
      ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'].map((name) =>
        database.rows({ name, text: `SELECT current_setting('${name}') AS value` }),
      ),
    );
    expect(limits.flat()).toEqual([{ value: '15s' }, { value: '10s' }, { value: '15s' }]);
    await database.close();
  });
}
