import { createHash } from 'node:crypto';
import fastify, { type FastifyRequest } from 'fastify';
import { Pool } from 'pg';

/**
 * The least that an endpoint takes with the same packages: fastify and prepared statements of pg on the tables of the platform.
 * Looks the token up, then reads the rows. Arguments: database URL, public
 * URL, port.
 */
const [url = '', publicUrl = '', port = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString: url, max: 8 });
const app = fastify();

async function read<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await pool.query({ name, text, values: [...values] });
  return rows as Row[];
}

const TOKEN = `
  SELECT u.id, u.roles, t.id AS "tokenId" FROM accounts.token t LEFT JOIN accounts.user u ON u.id = t.user_id
   WHERE t.hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)`;

async function userOf({ headers }: FastifyRequest): Promise<number> {
  const hash = createHash('sha256')
    .update(headers.authorization?.slice('Token '.length) ?? '')
    .digest('hex');
  const [user] = await read<{ id: number }>('token', TOKEN, [hash, new Date()]);
  if (!user) throw new Error('the token is unknown');
  return user.id;
}

const BALANCE = `
  SELECT trim_scale(balance)::text AS balance, updated_at AS last_updated FROM accounts.ledger_account WHERE user_id = $1`;

const GROUPS = `
  SELECT g.id, g.label, g.is_default, g.created_at FROM network.group g JOIN network.tenant t ON t.id = g.tenant_id
   WHERE t.user_id = $1 AND NOT g.is_infra ORDER BY g.id`;

const TRANSACTIONS = `
  SELECT id, payment_type, amount::float8 AS amount, currency, credits, status, created_at
    FROM accounts.transaction WHERE user_id = $1 ORDER BY created_at DESC, id LIMIT 50`;
const TRANSACTION_COUNT = 'SELECT count::integer FROM accounts.transaction_count WHERE user_id = $1';

async function balance(request: FastifyRequest): Promise<unknown> {
  const [row] = await read('balance', BALANCE, [await userOf(request)]);
  return row;
}

async function groups(request: FastifyRequest): Promise<unknown> {
  return read('groups', GROUPS, [await userOf(request)]);
}

async function transactions(request: FastifyRequest): Promise<unknown> {
  const userId = await userOf(request);
  const [counted] = await read<{ count: number }>('count', TRANSACTION_COUNT, [userId]);
  const next = `${publicUrl}/api/billing/transactions/?page_size=50&page=2`;
  const results = await read('transactions', TRANSACTIONS, [userId]);
  return { count: counted?.count ?? 0, next, previous: null, results };
}

app.get('/api/billing/credits/balance/', (request) => balance(request));
app.get('/api/network/groups/', (request) => groups(request));
app.get('/api/billing/transactions/', (request) => transactions(request));
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.stdout.write('ready\n');
