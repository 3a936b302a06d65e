import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { Archipelago, graphql, newMnemonic, walletOf, type SocketState } from '../../../sdk/src/index.js';
import { asAdmin, platform } from '../../kit/platform.js';

const REVOKE = graphql('mutation ($id: String!) { revokeToken(id: $id) }');
const TOKENS = graphql('query { tokens { id isCurrent } }');
const BALANCE = graphql('subscription { creditBalanceChanged { balance } }');
const GRANT = `mutation ($to: String!) { adminGrantCredits(substrateAddress: $to, credits: 3, reason: "a test") { balance } }`;

/** A wallet that has signed in, with its first token. */
async function newAccount() {
  const wallet = walletOf(newMnemonic());
  const signIn = () => new Archipelago({ url: platform().url }).signIn(wallet);
  return { ...(await signIn()), signIn };
}

/** Revokes the token of a client. */
async function revokeToken(client: Archipelago): Promise<void> {
  const { tokens } = await client.graphql(TOKENS);
  await client.graphql(REVOKE, { id: tokens.find(({ isCurrent }) => isCurrent)?.id ?? '' });
}

describe('a subscription', () => {
  it('yields changes', async () => {
    const { token, substrateAddress } = await newAccount();
    const client = new Archipelago({ url: platform().url, token });
    const events = client.subscribe(BALANCE);
    const { value: first } = await events.next();
    await asAdmin(GRANT, { to: substrateAddress });
    const { value: second } = await events.next();
    await events.return(undefined);
    expect([first, second]).toEqual([
      { creditBalanceChanged: { balance: '0' } },
      { creditBalanceChanged: { balance: '3' } },
    ]);
  });

  it('that is left while it waits for an event ends at once, and with the last one the websocket', async () => {
    const { token } = await newAccount();
    const states: SocketState[] = [];
    let becomeIdle = (): void => undefined;
    const idle = new Promise<void>((resolve) => (becomeIdle = resolve));
    const onSocketState = (state: SocketState) => {
      states.push(state);
      if (state === 'idle') becomeIdle();
    };
    const events = new Archipelago({ url: platform().url, token, onSocketState }).subscribe(BALANCE);
    await events.next();
    const waiting = events.next();
    await events.return(undefined);
    expect(await waiting).toEqual({ done: true, value: undefined });
    await idle;
    expect(states).toEqual(['connecting', 'live', 'idle']);
  });

  it('goes on with another token when its own is revoked', async () => {
    const { token: first, substrateAddress, signIn } = await newAccount();
    const { token: second } = await signIn();
    const asked: (string | undefined)[] = [];
    const client = new Archipelago({
      url: platform().url,
      token: (refused) => (asked.push(refused), refused === first ? second : first),
      wait: async () => undefined,
    });
    const events = client.subscribe(BALANCE);
    await events.next();
    await revokeToken(new Archipelago({ url: platform().url, token: first }));
    const { value: again } = await events.next();
    await asAdmin(GRANT, { to: substrateAddress });
    const { value: changed } = await events.next();
    await events.return(undefined);
    expect([again?.creditBalanceChanged.balance, changed?.creditBalanceChanged.balance]).toEqual(['0', '3']);
    expect(asked).toEqual([undefined, first]);
  });

  it('begins with another token when the platform does not know the first', async () => {
    const { token } = await newAccount();
    const client = new Archipelago({
      url: platform().url,
      token: (refused) => (refused === undefined ? 'expired' : token),
    });
    const events = client.subscribe(BALANCE);
    expect((await events.next()).value).toEqual({ creditBalanceChanged: { balance: '0' } });
    await events.return(undefined);
  });

  it('is refused when the platform knows neither token', async () => {
    let count = 0;
    const client = new Archipelago({ url: platform().url, token: () => `wrong-${++count}` });
    await expect(client.subscribe(BALANCE).next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('ends with the error of the function that gives the token', async () => {
    const client = new Archipelago({
      url: platform().url,
      token: () => Promise.reject(new Error('The keychain is locked.')),
    });
    await expect(client.subscribe(BALANCE).next()).rejects.toThrow('The keychain is locked.');
  });

  const firstEvent = (on: Archipelago, query = 'subscription { creditBalanceChanged { balance } }') =>
    on.subscribe(query).next();

  it('with a wrong token is refused as unauthenticated', async () => {
    const stranger = new Archipelago({ url: platform().url, token: 'wrong' });
    await expect(firstEvent(stranger)).rejects.toMatchObject({
      name: 'PlatformError',
      code: 'UNAUTHENTICATED',
      message: expect.stringMatching(/^Sign in/),
    });
  });

  it('ends as unauthenticated when its token is revoked', async () => {
    const { token } = await newAccount();
    const short = new Archipelago({ url: platform().url, token, wait: async () => undefined });
    const events = short.subscribe(BALANCE);
    await events.next();
    await revokeToken(short);
    await expect(events.next()).rejects.toMatchObject({ name: 'PlatformError', code: 'UNAUTHENTICATED' });
    await short.close();
  });

  it('that the platform does not have is refused with the first error', async () => {
    const { token } = await newAccount();
    await expect(
      firstEvent(new Archipelago({ url: platform().url, token }), 'subscription { nothing }'),
    ).rejects.toMatchObject({ name: 'PlatformError', code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  it.each([
    [4429, 'At most 20 sockets per user.', 'RATE_LIMITED', 'At most 20 sockets per user.'],
    [4400, 'Invalid message', 'UNAVAILABLE', 'Invalid message'],
    [1011, '', 'UNAVAILABLE', 'The websocket was closed with 1011.'],
  ])('on a socket that is closed with %d "%s" is %s', async (status, reason, code, message) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('connection', (socket) => socket.close(status, reason));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(firstEvent(new Archipelago({ url: `http://127.0.0.1:${port}` }))).rejects.toMatchObject({
      name: 'PlatformError',
      code,
      message,
    });
    server.close();
  });
});
