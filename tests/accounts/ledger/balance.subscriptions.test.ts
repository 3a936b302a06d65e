import { describe, expect, it } from '@jest/globals';
import { TestSocket } from '../../kit/socket.js';
import { grant, signIn } from '../../kit/accounts/wallet.js';

describe('creditBalanceChanged', () => {
  it('gives the balance at once and after each grant', async () => {
    const user = await signIn();
    const socket = await TestSocket.open(user.token);
    socket.subscribe('1', 'subscription { creditBalanceChanged { balance held debt } }');
    const first = await socket.result('1', 1);
    await grant(user, '1.5');
    const second = await socket.result('1', 2);
    expect([first.data.creditBalanceChanged, second.data.creditBalanceChanged]).toEqual([
      { balance: '0', held: '0', debt: '0' },
      { balance: '1.5', held: '0', debt: '0' },
    ]);
    socket.close();
  });
});
