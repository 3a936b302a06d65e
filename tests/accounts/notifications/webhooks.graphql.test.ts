import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { KIND_PREFERENCES } from '../../../subgraphs/accounts/notifications/preference/preference.js';
import {
  addEndpoint,
  deliveriesTo,
  notificationsOf,
  settledDelivery,
  tell,
  verified,
} from '../../kit/accounts/notice.js';
import { codeOf, graphql, type Json } from '../../kit/platform.js';
import { Receivers } from '../../kit/accounts/receiver.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';
import { ISO_TIME } from '../../kit/rest/rest-checks.js';

let user: SignedIn;
const receivers = new Receivers();
beforeEach(async () => {
  user = await signIn();
});
afterEach(() => receivers.close());

describe('a webhook', () => {
  it('is posted as Standard Webhooks says, signed by the secret of the endpoint', async () => {
    const receiver = await receivers.open();
    const { secret } = await addEndpoint(user, receiver);
    await tell(user, { kind: 'payment', title: 'Paid', text: 'Thank you.', link: '/billing' });
    const received = await receiver.request(1);
    const [{ id }] = (await notificationsOf(user)).results;
    expect(verified(secret, received)).toEqual({
      type: 'payment',
      timestamp: expect.stringMatching(ISO_TIME),
      data: { id, title: 'Paid', text: 'Thank you.', link: expect.stringMatching(/^http:\/\/.+\/billing$/) },
    });
    expect(received.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,\S+$/),
    });
  });

  it('is logged as sent with the answer, of which 500 characters are kept', async () => {
    const receiver = await receivers.open(() => ({ status: 202, body: `a\0${'ü'.repeat(100_000)}` }));
    const { id } = await addEndpoint(user, receiver);
    await tell(user, { kind: 'payment' });
    const { headers } = await receiver.request(1);
    expect(await settledDelivery(user, id)).toEqual({
      id: expect.any(String),
      messageId: headers['webhook-id'],
      notificationId: expect.any(String),
      kind: 'payment',
      state: 'sent',
      attempts: 1,
      nextAttemptAt: null,
      lastError: null,
      responseStatus: 202,
      responseBody: `a${'ü'.repeat(499)}`,
      createdAt: expect.stringMatching(ISO_TIME),
      sentAt: expect.stringMatching(ISO_TIME),
    });
  });

  it('that is refused is tried again with the same webhook-id', async () => {
    const receiver = await receivers.open((number) => ({ status: number === 1 ? 503 : 200 }));
    const { id, secret } = await addEndpoint(user, receiver);
    await tell(user);
    const first = await receiver.request(1);
    const failed = await settledDelivery(user, id);
    const second = await receiver.request(2);
    expect(failed).toMatchObject({ state: 'pending', attempts: 1, responseStatus: 503, lastError: expect.any(String) });
    expect(Date.parse(failed.nextAttemptAt)).toBeGreaterThan(Date.parse(failed.createdAt));
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(verified(secret, second)).toEqual(verified(secret, first));
    await until(async () => (await settledDelivery(user, id)).state === 'sent');
    expect(await settledDelivery(user, id)).toMatchObject({ attempts: 2, lastError: null });
  });

  it('is not sent where a redirect leads', async () => {
    const elsewhere = await receivers.open();
    const receiver = await receivers.open(() => ({ status: 307, location: elsewhere.url }));
    const { id } = await addEndpoint(user, receiver);
    await tell(user);
    expect(await settledDelivery(user, id)).toMatchObject({ state: 'pending', responseStatus: 307 });
    expect(elsewhere.received).toEqual([]);
  });

  it('that gets no answer is given up after 10 s for the time being', async () => {
    const receiver = await receivers.open(() => undefined);
    const { id } = await addEndpoint(user, receiver);
    await tell(user);
    await receiver.request(1);
    let delivery: Json;
    await until(async () => {
      [delivery] = (await deliveriesTo(user, id)).results;
      return delivery.lastError !== null;
    });
    expect(delivery).toMatchObject({
      state: 'pending',
      lastError: expect.stringContaining('10 s'),
      responseStatus: null,
    });
  });

  it('answered with 410 disables the endpoint, of which the user is told', async () => {
    const receiver = await receivers.open(() => ({ status: 410 }));
    const { id } = await addEndpoint(user, { url: receiver.url, kinds: ['payment'] });
    await tell(user, { kind: 'payment' });
    expect(await settledDelivery(user, id)).toMatchObject({ state: 'failed', attempts: 1, responseStatus: 410 });
    const { data } = await graphql('{ webhookEndpoints { isEnabled disabledBecause } }', user);
    expect(data.webhookEndpoints).toEqual([{ isEnabled: false, disabledBecause: expect.stringContaining('410') }]);
    const { results } = await notificationsOf(user);
    expect(results[0]).toMatchObject({ kind: 'account', text: expect.stringContaining(receiver.url) });
  });
});

describe('an endpoint', () => {
  it('is told the kinds it asked for and no other', async () => {
    const receiver = await receivers.open();
    const { secret } = await addEndpoint(user, { url: receiver.url, kinds: ['payment', 'payment', 'low_credit'] });
    for (const kind of ['account', 'payment', 'subscription_ending', 'low_credit']) await tell(user, { kind });
    const received = [await receiver.request(1), await receiver.request(2)];
    expect(new Set(received.map((one) => verified(secret, one).type))).toEqual(new Set(['low_credit', 'payment']));
  });

  const prefer = (isWanted: boolean) => {
    const args = KIND_PREFERENCES.map(({ field }) => `${field}: ${isWanted}`).join(', ');
    return graphql(`mutation { updateNotificationPreferences(${args}) { emailEnabled } }`, user);
  };

  it('is told every kind that the user turns on, and none that the user turns off', async () => {
    const receiver = await receivers.open();
    const { secret } = await addEndpoint(user, receiver);
    await prefer(false);
    for (const { kind } of KIND_PREFERENCES) await tell(user, { kind });
    await tell(user, { kind: 'payment' });
    expect(verified(secret, await receiver.request(1)).type).toBe('payment');
    await prefer(true);
    for (const { kind } of KIND_PREFERENCES) await tell(user, { kind });
    const received = await Promise.all(KIND_PREFERENCES.map((_, index) => receiver.request(index + 2)));
    const kinds = received.map((one) => verified(secret, one).type);
    expect(new Set(kinds)).toEqual(new Set(KIND_PREFERENCES.map(({ kind }) => kind)));
  });

  it('is told once by each of two', async () => {
    const receiver = await receivers.open();
    const added = await Promise.all([addEndpoint(user, receiver), addEndpoint(user, receiver)]);
    await tell(user);
    const received = [await receiver.request(1), await receiver.request(2)];
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
    for (const { id } of added) expect(await settledDelivery(user, id)).toMatchObject({ state: 'sent', attempts: 1 });
    expect(receiver.received).toHaveLength(2);
  });

  it('that is disabled is told nothing until it is enabled again', async () => {
    const receiver = await receivers.open();
    const { id, secret } = await addEndpoint(user, receiver);
    const enable = (isEnabled: boolean) =>
      graphql(
        'mutation ($id: String!, $on: Boolean!) { enableWebhookEndpoint(id: $id, isEnabled: $on) { isEnabled } }',
        {
          token: user.token,
          variables: { id, on: isEnabled },
        },
      );
    await enable(false);
    const other = await receivers.open();
    await addEndpoint(user, other);
    await tell(user, { kind: 'account' });
    // The endpoints of a notification are chosen together, in a job.
    await other.request(1);
    await enable(true);
    await tell(user, { kind: 'payment' });
    expect(verified(secret, await receiver.request(1)).type).toBe('payment');
  });

  it('signs by both secrets after a rotation, for a day', async () => {
    const receiver = await receivers.open();
    const { id, secret } = await addEndpoint(user, receiver);
    const rotate = 'mutation ($id: String!) { rotateWebhookSecret(id: $id) { secret previousUntil endpoint { id } } }';
    const { data } = await graphql(rotate, { token: user.token, variables: { id: id.toUpperCase() } });
    const { secret: next, previousUntil, endpoint } = data.rotateWebhookSecret;
    await tell(user, { title: 'Rotated' });
    const received = await receiver.request(1);
    expect(next).not.toBe(secret);
    expect(endpoint.id).toBe(id);
    expect(Math.round((Date.parse(previousUntil) - Date.now()) / 3_600_000)).toBe(24);
    expect([secret, next].map((one) => verified(one, received).data.title)).toEqual(['Rotated', 'Rotated']);
  });

  it('signs by the secrets of two rotations and by the one before them, whichever the receiver has', async () => {
    const receiver = await receivers.open();
    const { id, secret } = await addEndpoint(user, receiver);
    const rotate = async () => {
      const query = 'mutation ($id: String!) { rotateWebhookSecret(id: $id) { secret previousUntil } }';
      return (await graphql(query, { token: user.token, variables: { id } })).data.rotateWebhookSecret;
    };
    const [first, second] = [await rotate(), await rotate()];
    await tell(user, { title: 'Rotated' });
    const received = await receiver.request(1);
    const secrets = [secret, first.secret, second.secret];
    expect(secrets.map((one) => verified(one, received).data.title)).toEqual(['Rotated', 'Rotated', 'Rotated']);
  });

  it('refuses a fourth rotation within a day, so that every secret of that day still signs', async () => {
    const receiver = await receivers.open();
    const { id, secret } = await addEndpoint(user, receiver);
    const rotate = () => graphql(`mutation { rotateWebhookSecret(id: "${id}") { secret } }`, { token: user.token });
    const secrets = [secret];
    for (let count = 0; count < 3; count++) secrets.push((await rotate()).data.rotateWebhookSecret.secret);
    const { code, retryAfter } = (await rotate()).errors[0].extensions;
    await tell(user, { title: 'Rotated' });
    const received = await receiver.request(1);
    expect({ code, hours: Math.round(retryAfter / 3_600) }).toEqual({ code: 'RATE_LIMITED', hours: 24 });
    expect(secrets.map((one) => verified(one, received).data.title)).toEqual(Array(4).fill('Rotated'));
  });

  it('is told again by a replay, with the same webhook-id', async () => {
    const receiver = await receivers.open();
    const { id } = await addEndpoint(user, receiver);
    await tell(user);
    const first = await receiver.request(1);
    const sent = await settledDelivery(user, id);
    const replay = 'mutation ($id: String!) { replayWebhookDelivery(id: $id) { state attempts } }';
    const early = await graphql(replay, { token: user.token, variables: { id: sent.id } });
    expect(codeOf(early)).toBe('RATE_LIMITED');
    await delay(early.errors[0].extensions.retryAfter * 1000);
    const { data } = await graphql(replay, { token: user.token, variables: { id: sent.id } });
    const second = await receiver.request(2);
    expect(data.replayWebhookDelivery).toEqual({ state: 'pending', attempts: 0 });
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.body).toBe(first.body);
  });

  it('lists its deliveries newest first in pages', async () => {
    const receiver = await receivers.open();
    const { id } = await addEndpoint(user, receiver);
    for (const number of [1, 2, 3]) {
      await tell(user);
      await receiver.request(number);
    }
    const first = await deliveriesTo(user, id, { args: 'first: 2' });
    const second = await deliveriesTo(user, id, { args: `first: 2, after: "${first.nextCursor}"` });
    const ids = [...first.results, ...second.results].map(({ id: delivery }: Json) => Number(delivery));
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect([first.results.length, second.results.length, second.nextCursor]).toEqual([2, 1, null]);
  });
});
