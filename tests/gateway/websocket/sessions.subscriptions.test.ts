import { describe, expect, it } from '@jest/globals';
import { beginSession, beginSessionFrom, partOf, revokeSession } from '../../kit/accounts/session.js';
import { TestSocket } from '../../kit/socket.js';
import { setRoles } from '../../kit/accounts/wallet.js';

describe('a websocket that signed in with an access token', () => {
  it('serves its user', async () => {
    const { access } = await beginSession();
    const socket = await TestSocket.open(access);
    socket.subscribe('1', 'subscription { creditBalanceChanged { balance } }');
    const { data } = await socket.result('1', 1);
    socket.close();
    expect(data.creditBalanceChanged.balance).toBe('0');
  });

  it('closes at once when its session is revoked', async () => {
    const { access, user } = await beginSession();
    const socket = await TestSocket.open(access);
    await revokeSession(partOf(access).sid, user.token);
    expect((await socket.closing()).code).toBe(4403);
  });

  it('closes at once when the session is revoked that its own was begun from', async () => {
    const first = await beginSession();
    const second = await beginSessionFrom(await beginSessionFrom(first));
    const socket = await TestSocket.open(second.access);
    await revokeSession(partOf(first.access).sid, first.user.token);
    expect((await socket.closing()).code).toBe(4403);
  });

  it('closes when the roles of its user change', async () => {
    const { access, user } = await beginSession();
    const socket = await TestSocket.open(access);
    await setRoles(user.substrateAddress, ['BETA']);
    expect((await socket.closing()).code).toBe(1012);
  });

  it('is refused with a token whose session is revoked', async () => {
    const { access, user } = await beginSession();
    await revokeSession(partOf(access).sid, user.token);
    expect((await (await TestSocket.open(access)).closing()).code).toBe(4401);
  });
});
