import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { startOnDatabase, type PlatformOnDatabase } from '../../kit/database/own-database.js';
import { addEndpoint, deliveriesTo, notificationsOf, tell } from '../../kit/accounts/notice.js';
import { codeOf, graphql, type Json } from '../../kit/platform.js';
import { Receiver } from '../../kit/accounts/receiver.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { ask, modeOf, until } from '../../kit/watch.js';

let platform: PlatformOnDatabase;
let receiver: Receiver;
let user: SignedIn;

async function open(env: Readonly<Record<string, string>>): Promise<void> {
  platform = await startOnDatabase(env);
  receiver = await Receiver.open(() => ({ status: 500 }));
  user = await signIn(undefined, platform.url);
}

async function close(): Promise<void> {
  receiver.close();
  await platform.stop();
}

const say = () => tell(user, { kind: 'payment', url: platform.url });
const add = (url = receiver.url) => addEndpoint(user, { url, kinds: ['payment'] }, platform.url);

async function failedDelivery(endpointId: string): Promise<Json> {
  let delivery: Json;
  await until(async () => {
    [delivery] = (await deliveriesTo(user, endpointId, { url: platform.url })).results;
    return delivery?.lastError != null;
  });
  return delivery;
}

describe('an endpoint of a platform that is tried', () => {
  beforeAll(() => open({}), 60_000);
  afterAll(close);

  it('that fails for three days is disabled, of which the user is told once', async () => {
    const { id } = await add();
    await say();
    await failedDelivery(id);
    await ask(
      platform.databaseUrl,
      `UPDATE accounts.webhook_endpoint SET failing_since = failing_since - interval '72 hours' WHERE id = '${id}'`,
    );
    await say();
    await until(async () => {
      const { results } = await notificationsOf(user, '', platform.url);
      return results.some(({ title }: Json) => title === 'A webhook endpoint was disabled');
    });
    const { data } = await graphql('{ webhookEndpoints { isEnabled disabledBecause } }', {
      token: user.token,
      url: platform.url,
    });
    expect(data.webhookEndpoints).toEqual([{ isEnabled: false, disabledBecause: expect.stringContaining('days') }]);
  });

  it('is given up after ten attempts', async () => {
    const { id } = await add();
    await say();
    const { id: delivery } = await failedDelivery(id);
    await ask(
      platform.databaseUrl,
      `UPDATE accounts.delivery SET attempts = 9, next_attempt_at = now(), last_error = NULL WHERE id = ${delivery}`,
    );
    expect(await failedDelivery(id)).toMatchObject({ state: 'failed', attempts: 10, nextAttemptAt: null });
  });

  it('is given up without an eleventh attempt where the tenth has no outcome', async () => {
    const { id } = await add();
    await say();
    const { id: delivery, messageId } = await failedDelivery(id);
    await ask(
      platform.databaseUrl,
      `UPDATE accounts.delivery SET attempts = 10, next_attempt_at = now(), last_error = NULL WHERE id = ${delivery}`,
    );
    expect(await failedDelivery(id)).toMatchObject({ state: 'failed', attempts: 10, nextAttemptAt: null });
    expect(receiver.received.filter(({ headers }) => headers['webhook-id'] === messageId)).toHaveLength(1);
  });

  it('does not count failures any more once it answered', async () => {
    const works = await Receiver.open();
    const { id } = await add(works.url);
    await ask(platform.databaseUrl, `UPDATE accounts.webhook_endpoint SET failing_since = now() WHERE id = '${id}'`);
    await say();
    const failing = `SELECT failing_since IS NULL FROM accounts.webhook_endpoint WHERE id = '${id}'`;
    await until(async () => (await ask(platform.databaseUrl, failing)) === true);
    works.close();
  });

  it('signs by the secrets before no longer than a day', async () => {
    const works = await Receiver.open();
    const { id } = await add(works.url);
    const rotate = `mutation { rotateWebhookSecret(id: "${id}") { secret } }`;
    for (let count = 0; count < 2; count++) await graphql(rotate, { token: user.token, url: platform.url });
    await ask(
      platform.databaseUrl,
      `UPDATE accounts.webhook_endpoint SET previous_until = now(), sealed_earlier = jsonb_set(sealed_earlier, '{0,until}', to_jsonb(now()))
        WHERE id = '${id}'`,
    );
    await say();
    const { headers } = await works.request(1);
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(1);
    works.close();
  });

  it('has its secret sealed by a key that only its owner reads', async () => {
    const { id, secret } = await add();
    const kept = `SELECT count(*)::integer FROM accounts.webhook_endpoint e
      WHERE id = '${id}' AND e::text LIKE '%${secret.slice('whsec_'.length)}%'`;
    expect(await ask(platform.databaseUrl, kept)).toBe(0);
    expect(await modeOf(join(platform.dataDir, 'data-key'))).toBe('600');
  });

  it('of an eleventh slot is refused by the database', async () => {
    const eleventh = `INSERT INTO accounts.webhook_endpoint (id, user_id, slot, url, kinds, sealed_secret, created_at)
      VALUES (gen_random_uuid(), ${user.userId}, 11, 'x', '{}', 'x', now())`;
    await expect(ask(platform.databaseUrl, eleventh)).rejects.toThrow(/webhook_endpoint_limit/);
  });
});

describe.each([
  ['in production', { NODE_ENV: 'production', WEBHOOKS_TO_LOOPBACK: '' }],
  ['that nobody set up', { WEBHOOKS_TO_LOOPBACK: '' }],
])('an endpoint of a platform %s', (_, env) => {
  beforeAll(() => open(env), 60_000);
  afterAll(close);

  it.each(['http://hooks.example/', 'https://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'https://10.0.0.1/'])(
    'is not %s',
    async (url) => {
      const query = `mutation { addWebhookEndpoint(url: "${url}") { secret } }`;
      expect(codeOf(await graphql(query, { token: user.token, url: platform.url }))).toBe('BAD_REQUEST');
    },
  );

  it.each(['https', 'http'])('is not reached at a private address, whatever its name is: %s', async (protocol) => {
    const { id } = await add('https://hooks.example/');
    // A name that resolves to the loopback; hosts files have no other that is known everywhere.
    const inside = receiver.url.replace('http', protocol).replace('127.0.0.1', 'localhost');
    await ask(platform.databaseUrl, `UPDATE accounts.webhook_endpoint SET url = '${inside}' WHERE id = '${id}'`);
    await say();
    const { state, lastError, responseStatus } = await failedDelivery(id);
    expect({ state, responseStatus }).toEqual({ state: 'pending', responseStatus: null });
    expect(lastError).toMatch(protocol === 'https' ? /not at a public address/ : /not https/);
    expect(receiver.received).toEqual([]);
  });
});
