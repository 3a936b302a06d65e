import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Pool } from 'pg';

/**
 * The minimal receiver of signed webhooks: checks the signature, stores the event once, responds. Arguments: database URL,
 * port, secret.
 */
const [url = '', port = '', secret = ''] = process.argv.slice(2);
const INSERT = {
  name: 'keep',
  text: 'INSERT INTO bench_event (id, payload, received_at) VALUES ($1, $2, now()) ON CONFLICT DO NOTHING',
};

const pool = new Pool({ connectionString: url, max: 12 });
await pool.query(
  'CREATE TABLE bench_event (id text PRIMARY KEY, payload text NOT NULL, received_at timestamptz NOT NULL)',
);

async function answer(request: IncomingMessage): Promise<number> {
  const body = await text(request);
  const [, at = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})/.exec(String(request.headers['stripe-signature'])) ?? [];
  const expected = createHmac('sha256', secret).update(`${at}.${body}`).digest();
  if (given === '' || !timingSafeEqual(Buffer.from(given, 'hex'), expected)) return 400;
  const { id } = JSON.parse(body) as { id: string };
  await pool.query({ ...INSERT, values: [id, body] });
  return 200;
}

createServer((request, response) => {
  answer(request).then(
    (status) => response.writeHead(status, { 'content-type': 'application/json' }).end('{"received":true}'),
    () => response.writeHead(500).end(),
  );
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
