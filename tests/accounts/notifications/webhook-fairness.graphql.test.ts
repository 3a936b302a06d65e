import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addEndpoint, notificationsOf, settledDelivery, tell, verified } from '../../kit/accounts/notice.js';
import { codeOf, graphql, type Json } from '../../kit/platform.js';
import { Receivers } from '../../kit/accounts/receiver.js';
import { signIn, type SignedIn } from '../../kit/accounts/wallet.js';
import { until } from '../../kit/watch.js';

let user: SignedIn;
const receivers = new Receivers();
beforeEach(async () => {
  user = await signIn();
});
afterEach(() => receivers.close());

describe('a webhook', () => {
  it('tells of a disabled endpoint once a day, and no endpoint of it', async () => {
    const gone = await receivers.open(() => ({ status: 410 }));
    const other = await receivers.open();
    const { id } = await addEndpoint(user, { url: gone.url, kinds: ['payment'] });
    const { secret } = await addEndpoint(user, other);
    for (const number of [1, 2]) {
      await tell(user, { kind: 'payment' });
      await gone.request(number);
      await until(async () =>
        (await graphql('{ webhookEndpoints { isEnabled } }', user)).data.webhookEndpoints.some(
          (one: Json) => !one.isEnabled,
        ),
      );
      const enable = 'mutation ($id: String!) { enableWebhookEndpoint(id: $id, isEnabled: true) { id } }';
      await graphql(enable, { token: user.token, variables: { id } });
    }
    await tell(user, { kind: 'account', title: 'The last' });
    const notified = [await other.request(1), await other.request(2), await other.request(3)];
    expect(
      notified.map((one) => verified(secret, one).type).toSorted((a: string, b: string) => a.localeCompare(b)),
    ).toEqual(['account', 'payment', 'payment']);
    const { results } = await notificationsOf(user);
    expect(results.filter(({ title }: Json) => /disabled/.test(title))).toHaveLength(1);
  });

  it('of one who keeps all workers waiting does not hold up those of others', async () => {
    const silent = await receivers.open(() => undefined);
    await Promise.all(Array.from({ length: 10 }, () => addEndpoint(user, silent)));
    await tell(user);
    await silent.request(3);
    const [other, receiver] = [await signIn(), await receivers.open()];
    await addEndpoint(other, receiver);
    await tell(other);
    await receiver.request(1);
    expect(silent.received).toHaveLength(3);
  });
});

describe('a delivery or endpoint', () => {
  it('is not replayed while it is still to be attempted', async () => {
    const receiver = await receivers.open(() => ({ status: 503 }));
    const { id } = await addEndpoint(user, receiver);
    await tell(user);
    const { id: delivery } = await settledDelivery(user, id);
    const replay = `mutation { replayWebhookDelivery(id: "${delivery}") { state } }`;
    expect(codeOf(await graphql(replay, user))).toBe('CONFLICT');
  });

  it.each([
    ['replayed', 'replayWebhookDelivery(id: "1") { id }'],
    ['tested', 'testWebhookEndpoint(id: "00000000-0000-4000-8000-000000000000") { id }'],
    ['enabled', 'enableWebhookEndpoint(id: "00000000-0000-4000-8000-000000000000", isEnabled: true) { id }'],
    ['added', 'addWebhookEndpoint(url: "https://hooks.example/") { secret }'],
    ['removed', 'removeWebhookEndpoint(id: "00000000-0000-4000-8000-000000000000")'],
  ])('is not %s as often as one likes', async (_, field) => {
    const fields = Array.from({ length: 20 }, (__, i) => `a${i}: ${field}`).join(' ');
    const codes: string[] = [];
    // A window may end meanwhile: twice what two of them take.
    for (let i = 0; i < 6; i++) {
      const { errors } = await graphql(`mutation { ${fields} }`, user);
      codes.push(...(errors ?? []).map(({ extensions }: Json) => extensions.code));
    }
    expect(codes).toContain('RATE_LIMITED');
  });
});
