import { Client } from 'pg';
import { compare } from '../compare.js';
import type { Environment, Owner } from '../environment.js';
import { startServer, type Server } from '../processes.js';
import type { Row } from '../report.js';
import { newOwners } from '../environment.js';
import { sendRequest } from '../send-request.js';

const TRANSACTIONS = '/api/billing/transactions/?page_size=50';

/** Measures REST beside fastify and pg on the same database, which look the token up too. */
export async function measureRest({ cleanup, scale, platform, databaseUrl, postgresPid }: Environment): Promise<Row[]> {
  const [few, many] = await newOwners(platform.url, 2);
  if (!few || !many) throw new Error('no users');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(GROUPS, [few.tenantId]);
  await client.query(TRANSACTIONS_OF, [few.userId, 100]);
  await client.query(TRANSACTIONS_OF, [many.userId, scale.transactions]);
  await client.query('VACUUM ANALYZE accounts.transaction, network.group');
  await client.end();
  const floor = await startServer(cleanup, [
    'bench/rest/floor.js',
    databaseUrl,
    platform.url.replace('127.0.0.1', 'localhost'),
  ]);
  const candidate = (name: string, { url, pid }: Server, path: string, { token }: Owner) => {
    const headers = { authorization: `Token ${token}` };
    return { name, pids: [pid, postgresPid], request: () => sendRequest('GET', url + path, { headers }) };
  };
  const rows: Row[] = [];
  const measure = async (work: string, path: string, owner: Owner, goal?: number) => {
    const peer = { ...candidate('fastify and pg', floor, path, owner), goal };
    const both = [candidate('platform', platform, path, owner), peer];
    rows.push(...(await compare(`REST, ${work}`, both, scale)));
  };
  await measure('balance', '/api/billing/credits/balance/', few, 1.2);
  await measure('50 groups', '/api/network/groups/', few, 1);
  await measure('50 of 100 transactions', TRANSACTIONS, few);
  await measure(`50 of ${scale.transactions} transactions`, TRANSACTIONS, many);
  return rows;
}

const GROUPS = `
  INSERT INTO network.group (tenant_id, label, created_at) SELECT $1, 'group-' || n, now() FROM generate_series(1, 49) n`;

const TRANSACTIONS_OF = `
  INSERT INTO accounts.transaction (user_id, payment_type, amount, currency, credits, status, created_at, updated_at, completed_at)
  SELECT $1, 'crypto', n % 900 + 20, 'USDC', n % 900 + 20, 'completed', at, at, at
    FROM (SELECT n, now() - make_interval(mins => n) AS at FROM generate_series(1, $2::int) n) r`;
