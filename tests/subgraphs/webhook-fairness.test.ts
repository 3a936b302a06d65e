import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { addEndpoint, deliveriesTo, notificationsOf, tell } from '../kit/notice.js';
import { codeOf, graphql, type Json } from '../kit/platform.js';
import { Receiver, type Reaction, type Received } from '../kit/receiver.js';
import { signIn, type SignedIn } from '../kit/wallet.js';
import { until } from '../faults/watch.js';

let user: SignedIn;
const receivers: Receiver[] = [];
beforeEach(async () => {
  user = await signIn();
});
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});

async function receiverOf(react?: (number: number) => Reaction): Promise<Receiver> {
  const receiver = await Receiver.open(react);
  receivers.push(receiver);
  return receiver;
}

/** What was signed by the secret; throws for anything else. */
function verified(secret: string, { body, headers }: Received): Json {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

async function settledDelivery(endpointId: string): Promise<Json> {
  let delivery: Json;
  await until(async () => {
    [delivery] = (await deliveriesTo(user, endpointId)).results;
    return delivery !== undefined && (delivery.state !== 'pending' || delivery.responseStatus !== null);
  });
  return delivery;
}

describe('a webhook', () => {
  it('tells of a disabled endpoint once a day, and no endpoint of it', async () => {
    const gone = await receiverOf(() => ({ status: 410 }));
    const other = await receiverOf();
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
    const told = [await other.request(1), await other.request(2), await other.request(3)];
    expect(
      told.map((one) => verified(secret, one).type).toSorted((a: string, b: string) => a.localeCompare(b)),
    ).toEqual(['account', 'payment', 'payment']);
    const { results } = await notificationsOf(user);
    expect(results.filter(({ title }: Json) => /disabled/.test(title))).toHaveLength(1);
  });

  it('of one who keeps all workers waiting does not hold up those of others', async () => {
    const silent = await receiverOf(() => undefined);
    await Promise.all(Array.from({ length: 10 }, () => addEndpoint(user, silent)));
    await tell(user);
    await silent.request(3);
    const [other, receiver] = [await signIn(), await receiverOf()];
    await addEndpoint(other, receiver);
    await tell(other);
    await receiver.request(1);
    expect(silent.received).toHaveLength(3);
  });
});

describe('a delivery or endpoint', () => {
  it('is not replayed while it is still to be attempted', async () => {
    const receiver = await receiverOf(() => ({ status: 503 }));
    const { id } = await addEndpoint(user, receiver);
    await tell(user);
    const { id: delivery } = await settledDelivery(id);
    const replay = `mutation { replayWebhookDelivery(id: "${delivery}") { state } }`;
    expect(codeOf(await graphql(replay, user))).toBe('CONFLICT');
  });

  it.each([
    ['replayed', 'replayWebhookDelivery(id: "1") { id }'],
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
