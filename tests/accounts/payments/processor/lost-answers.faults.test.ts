import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import type { RunningPlatform } from '../../../kit/arrangements.js';
import { startOnDatabase, type PlatformOnDatabase } from '../../../kit/database/own-database.js';
import { call } from '../../../kit/platform.js';
import { PLUS } from '../../../kit/payments/processor.js';
import { stripeClient } from '../../../kit/payments/sandbox.js';
import { signIn, type SignedIn } from '../../../kit/accounts/wallet.js';

let processor: RunningPlatform;
let connection: Server;
let shop: PlatformOnDatabase;
let sql: Client;
let user: SignedIn;
/** The request whose next answer is lost, after the processor has done it. */
let lost: string | undefined;
/** The e-mail address that the processor refuses. */
let refusedEmail: string | undefined;
beforeAll(async () => {
  processor = await startOnDatabase();
  connection = createServer((request, response) => void pass(request, response)).listen(0, '127.0.0.1');
  await once(connection, 'listening');
  const url = `http://127.0.0.1:${(connection.address() as AddressInfo).port}`;
  shop = await startOnDatabase({ PAYPROC: 'stripe', PAYPROC_API_URL: url });
  sql = new Client({ connectionString: shop.databaseUrl });
  await sql.connect();
}, 120_000);
afterAll(async () => {
  await sql.end();
  await shop.stop();
  connection.closeAllConnections();
  connection.close();
  await processor.stop();
});
beforeEach(async () => {
  user = await signIn(undefined, shop.url);
});

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request;
  const sent = Object.entries(headers).filter(([name]) =>
    /^(?:authorization|content-type|idempotency-key)$/.test(name),
  );
  const body = method === 'POST' ? { body: await text(request) } : {};
  if (refusedEmail !== undefined && body.body?.includes(encodeURIComponent(refusedEmail))) {
    const error = { type: 'invalid_request_error', code: 'email_invalid', message: 'Invalid email address' };
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    return;
  }
  const answer = await fetch(`${processor.url}/sandbox${url}`, {
    method,
    headers: Object.fromEntries(sent) as Record<string, string>,
    ...body,
  });
  const answered = await answer.text();
  if (lost === `${method} ${url}`) {
    lost = undefined;
    request.socket.destroy();
  } else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answered);
}

const emailOfUser = (email: string) =>
  sql.query('UPDATE accounts.user SET email = $2 WHERE id = $1', [user.userId, email]);

/** Sends the request while the processor's answer to another one is lost, and again with another e-mail address. */
async function retried(path: string, body: object, lostRequest: string): Promise<number[]> {
  const send = async () => (await call(`POST ${path}`, { token: user.token, body, url: shop.url })).status;
  await emailOfUser(`before-${user.userId}@mail.example`);
  lost = lostRequest;
  const first = await send();
  await emailOfUser(`after-${user.userId}@mail.example`);
  return [first, await send()];
}

describe('a request to the processor whose answer was lost, repeated with another e-mail address', () => {
  it('makes one customer record, with the new address, and opens the subscription', async () => {
    const path = '/api/billing/payproc/create-subscription/';
    const statuses = await retried(path, { price_id: PLUS }, 'POST /v1/customers');
    const { data } = await stripeClient(undefined, processor.url).customers.list();
    const own = data.filter(({ metadata }) => metadata.user_id === String(user.userId));
    expect({ statuses, emails: own.map(({ email }) => email) }).toEqual({
      statuses: [503, 200],
      emails: [`after-${user.userId}@mail.example`],
    });
  });

  it('opens a page', async () => {
    const path = '/api/billing/payproc/create-checkout-session/';
    expect(await retried(path, { amount: 20 }, 'POST /v1/checkout/sessions')).toEqual([503, 200]);
  });
});

describe('an e-mail address that the processor refuses', () => {
  beforeEach(async () => {
    refusedEmail = `user-${user.userId}@mail.invalid`;
    await emailOfUser(refusedEmail);
  });
  afterEach(() => {
    refusedEmail = undefined;
  });

  it.each([
    ['a subscription', '/api/billing/payproc/create-subscription/', { price_id: PLUS }],
    ['a one-time payment', '/api/billing/payproc/create-checkout-session/', { amount: 20 }],
  ])('does not prevent %s', async (_what, path, body) => {
    const send = async () => (await call(`POST ${path}`, { token: user.token, body, url: shop.url })).status;
    expect([await send(), await send()]).toEqual([200, 200]);
  });
});
