import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { addEndpoint, notificationsOf, tell } from '../../kit/accounts/notice.js';
import { codeOf, graphql, type Json } from '../../kit/platform.js';
import { Receiver } from '../../kit/accounts/receiver.js';
import { serviceToken, signIn, type SignedIn } from '../../kit/accounts/wallet.js';

const URL = 'https://hooks.example/x';
const ADD = 'mutation ($url: String!) { addWebhookEndpoint(url: $url) { secret endpoint { id url } } }';

let user: SignedIn;
beforeEach(async () => {
  user = await signIn();
});

const add = (url: string, token = user.token) => graphql(ADD, { token, variables: { url } });
const endpointsOf = async ({ token }: SignedIn): Promise<Json[]> =>
  (await graphql('{ webhookEndpoints { id url kinds isEnabled disabledBecause failingSince } }', { token })).data
    .webhookEndpoints;

describe('addWebhookEndpoint', () => {
  it('shows a secret of its own once and lists the endpoint without it', async () => {
    const [one, two] = [
      await addEndpoint(user, { url: URL, kinds: ['payment'] }),
      await addEndpoint(user, { url: URL }),
    ];
    expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(two.secret).not.toBe(one.secret);
    const rest = { url: URL, isEnabled: true, disabledBecause: null, failingSince: null };
    expect(await endpointsOf(user)).toEqual([
      { id: one.id, kinds: ['payment'], ...rest },
      { id: two.id, kinds: [], ...rest },
    ]);
  });

  it.each([
    ['empty', ''],
    ['no URL', 'hooks.example'],
    ['of another protocol', 'ftp://hooks.example/'],
    ['of a file', 'file:///etc/passwd'],
    ['overlong', `https://hooks.example/${'x'.repeat(2048)}`],
    ['overlong once it is encoded', `https://hooks.example/${'ü'.repeat(500)}`],
    ['with U+0000', 'https://hooks.example/\0'],
    ['with a password', 'https://me:secret@hooks.example/'],
    ['with a name', 'https://me@hooks.example/'],
    ['of a private address', 'http://10.1.2.3/'],
    ['of a private address written as one number', 'http://167838211/'],
    ['of a link-local address', 'http://169.254.169.254/latest/meta-data'],
    ['of a unique local address', 'http://[fd00::1]/'],
    ['of a private address in IPv6', 'http://[::ffff:10.0.0.1]/'],
    ['of the unspecified address', 'http://0.0.0.0/'],
  ])('refuses an address that is %s', async (_, url) => {
    expect(codeOf(await add(url))).toBe('BAD_REQUEST');
  });

  it('takes ten and no more, also twenty at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(URL)));
    const codes = answers.map(codeOf);
    expect(codes.filter((code) => code === undefined)).toHaveLength(10);
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(10);
    expect(await endpointsOf(user)).toHaveLength(10);
  });

  it('takes another in the place of one that was removed', async () => {
    const [first] = await Promise.all(Array.from({ length: 10 }, () => addEndpoint(user, { url: URL })));
    await graphql(`mutation { removeWebhookEndpoint(id: "${first?.id}") }`, user);
    expect(codeOf(await add(URL))).toBeUndefined();
    expect(codeOf(await add(URL))).toBe('CONFLICT');
  });

  it('refuses unknown kinds', async () => {
    const { errors } = await graphql(
      `mutation { addWebhookEndpoint(url: "${URL}", kinds: [nothing]) { secret } }`,
      user,
    );
    expect(errors).toHaveLength(1);
  });

  it('is refused without a token and to a service', async () => {
    expect(codeOf(await graphql(ADD, { variables: { url: URL } }))).toBe('UNAUTHENTICATED');
    expect(codeOf(await add(URL, await serviceToken('ADMIN')))).toBe('FORBIDDEN');
  });
});

describe('what is another user’s', () => {
  let owner: SignedIn;
  let receiver: Receiver;
  let endpointId: string;
  let deliveryId: string;
  beforeAll(async () => {
    owner = await signIn();
    receiver = await Receiver.open();
    endpointId = (await addEndpoint(owner, receiver)).id;
    await tell(owner);
    await receiver.request(1);
    const log = `{ webhookDeliveries(endpointId: "${endpointId}") { results { id } } }`;
    deliveryId = (await graphql(log, owner)).data.webhookDeliveries.results[0].id;
    receiver.close();
  });

  const operations = (endpoint: string, delivery: string): [string, string][] => [
    ['removeWebhookEndpoint', `mutation { removeWebhookEndpoint(id: ${endpoint}) }`],
    ['rotateWebhookSecret', `mutation { rotateWebhookSecret(id: ${endpoint}) { secret } }`],
    ['enableWebhookEndpoint', `mutation { enableWebhookEndpoint(id: ${endpoint}, isEnabled: false) { id } }`],
    ['testWebhookEndpoint', `mutation { testWebhookEndpoint(id: ${endpoint}) { id } }`],
    ['webhookDeliveries', `{ webhookDeliveries(endpointId: ${endpoint}) { nextCursor } }`],
    ['replayWebhookDelivery', `mutation { replayWebhookDelivery(id: ${delivery}) { id } }`],
  ];

  it.each(operations('', '').map(([name]) => name))('answers %s with NOT_FOUND', async (name) => {
    const text = operations(`"${endpointId}"`, `"${deliveryId}"`).find(([one]) => one === name)?.[1] ?? '';
    expect(codeOf(await graphql(text, user))).toBe('NOT_FOUND');
  });

  it.each(
    ['', 'x', '00000000-0000-4000-8000-000000000000', '1'.repeat(40)].flatMap((id) => operations(`"${id}"`, `"${id}"`)),
  )('answers %s with NOT_FOUND where there is none: %s', async (_, text) => {
    expect(codeOf(await graphql(text, user))).toBe('NOT_FOUND');
  });

  it.each(operations('"\\u0000"', '"\\u0000"'))('refuses %s with an id of U+0000: %s', async (_, text) => {
    expect(codeOf(await graphql(text, user))).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('stays as it was', async () => {
    expect(await endpointsOf(owner)).toEqual([expect.objectContaining({ id: endpointId, isEnabled: true })]);
    expect((await notificationsOf(owner)).unreadCount).toBe(1);
  });

  it('is not in the own list', async () => {
    expect(await endpointsOf(user)).toEqual([]);
  });
});
