import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { addEndpoint, deliveriesTo, notificationsOf, settledDelivery, verified } from '../../kit/accounts/notice.js';
import { serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { Receivers } from '../../kit/accounts/receiver.js';
import { codeOf, graphql, type Json } from '../../kit/platform.js';
import { ISO_TIME } from '../../kit/rest/rest-checks.js';
import { until } from '../../kit/watch.js';

const TEST = `mutation ($id: String!, $key: String) {
  testWebhookEndpoint(id: $id, idempotencyKey: $key) { id messageId notificationId kind state attempts }
}`;

let user: SignedIn;
const receivers = new Receivers();
beforeEach(async () => {
  user = await signIn();
});
afterEach(() => receivers.close());

const test = (id: string, { key, token = user.token }: { key?: string; token?: string } = {}): Promise<Json> =>
  graphql(TEST, { token, variables: { id, key } });

describe('testWebhookEndpoint', () => {
  it('sends a signed event of the type test', async () => {
    const receiver = await receivers.open();
    const { id, secret } = await addEndpoint(user, receiver);
    const { testWebhookEndpoint: queued } = (await test(id)).data;
    const received = await receiver.request(1);
    expect(queued).toEqual({
      id: expect.any(String),
      messageId: received.headers['webhook-id'],
      notificationId: null,
      kind: null,
      state: 'pending',
      attempts: 0,
    });
    expect(verified(secret, received)).toEqual({
      type: 'test',
      timestamp: expect.stringMatching(ISO_TIME),
      data: {
        id: `test_${queued.messageId.slice('msg_'.length)}`,
        title: 'Test event',
        text: expect.stringContaining('Nothing has happened'),
        link: expect.stringMatching(new RegExp(`^http://.+/notifications/webhooks/${id}$`)),
      },
    });
  });

  it('is logged as a delivery without a notification, with the answer', async () => {
    const receiver = await receivers.open(() => ({ status: 418, body: 'a teapot' }));
    const { id } = await addEndpoint(user, receiver);
    const { data } = await test(id);
    expect(await settledDelivery(user, id)).toMatchObject({
      id: data.testWebhookEndpoint.id,
      notificationId: null,
      kind: null,
      state: 'pending',
      attempts: 1,
      responseStatus: 418,
      responseBody: 'a teapot',
    });
  });

  it('adds no notification, and sends to no other endpoint', async () => {
    const [receiver, other] = [await receivers.open(), await receivers.open()];
    await addEndpoint(user, other);
    const { id } = await addEndpoint(user, receiver);
    await test(id);
    await receiver.request(1);
    expect(await notificationsOf(user)).toEqual({ unreadCount: 0, nextCursor: null, results: [] });
    expect(other.received).toEqual([]);
  });

  it('sends also to an endpoint that receives one kind only', async () => {
    const receiver = await receivers.open();
    const { id, secret } = await addEndpoint(user, { url: receiver.url, kinds: ['payment'] });
    await test(id);
    expect(verified(secret, await receiver.request(1)).type).toBe('test');
  });

  it('sends one event for one key, also at once, and another for another', async () => {
    const receiver = await receivers.open();
    const { id } = await addEndpoint(user, receiver);
    const same = await Promise.all([1, 2, 3].map(() => test(id, { key: 'first' })));
    const [first] = same.map(({ data }) => data.testWebhookEndpoint.id);
    expect(same.map(({ data }) => data.testWebhookEndpoint.id)).toEqual([first, first, first]);
    await test(id, { key: 'second' });
    await Promise.all([receiver.request(1), receiver.request(2)]);
    await until(async () => (await deliveriesTo(user, id)).results.every(({ state }: Json) => state === 'sent'));
    expect((await deliveriesTo(user, id)).results).toHaveLength(2);
    expect(receiver.received).toHaveLength(2);
  });

  it.each(['', ' ', 'x'.repeat(201)])('refuses the key %j', async (key) => {
    const { id } = await addEndpoint(user, { url: 'https://hooks.example/' });
    expect(codeOf(await test(id, { key }))).toBe('BAD_REQUEST');
  });

  it('refuses a disabled endpoint, but answers the key of a test that was sent before', async () => {
    const receiver = await receivers.open();
    const { id } = await addEndpoint(user, receiver);
    const { testWebhookEndpoint: sent } = (await test(id, { key: 'before' })).data;
    await settledDelivery(user, id);
    await graphql(`mutation { enableWebhookEndpoint(id: "${id}", isEnabled: false) { id } }`, user);
    expect(codeOf(await test(id))).toBe('CONFLICT');
    expect((await test(id, { key: 'before' })).data.testWebhookEndpoint).toMatchObject({ id: sent.id, state: 'sent' });
    expect((await deliveriesTo(user, id)).results).toHaveLength(1);
  });

  it('can be repeated as any delivery', async () => {
    const receiver = await receivers.open();
    const { id, secret } = await addEndpoint(user, receiver);
    await test(id);
    const first = await receiver.request(1);
    const { id: sent } = await settledDelivery(user, id);
    const replay = `mutation { replayWebhookDelivery(id: "${sent}") { id kind notificationId state } }`;
    const repeat = async (): Promise<Json> => {
      const { data, errors } = await graphql(replay, user);
      if (!errors) return data;
      // Within seconds of the last attempt.
      expect(errors[0].extensions.code).toBe('RATE_LIMITED');
      await delay(errors[0].extensions.retryAfter * 1000);
      return (await graphql(replay, user)).data;
    };
    const data = await repeat();
    const second = await receiver.request(2);
    expect(data.replayWebhookDelivery).toEqual({ id: sent, kind: null, notificationId: null, state: 'pending' });
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(verified(secret, second)).toEqual(verified(secret, first));
  });

  it('is refused to a service', async () => {
    const { id } = await addEndpoint(user, { url: 'https://hooks.example/' });
    expect(codeOf(await test(id, { token: await serviceToken('ADMIN') }))).toBe('FORBIDDEN');
  });

  it('is limited for each user, not for others', async () => {
    const receiver = await receivers.open();
    const [{ id }, other] = [await addEndpoint(user, receiver), await signIn()];
    const { id: otherId } = await addEndpoint(other, receiver);
    const answers = await Promise.all(Array.from({ length: 11 }, () => test(id)));
    const refused = answers.filter((answer) => codeOf(answer) === 'RATE_LIMITED');
    expect(refused.map(({ errors }) => errors[0].extensions.retryAfter > 0)).toEqual([true]);
    expect(codeOf(await test(otherId, { token: other.token }))).toBeUndefined();
  });
});
